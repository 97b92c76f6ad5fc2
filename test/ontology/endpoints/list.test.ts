import { describe, expect, it } from 'vitest'
import { VIEWS } from '../../../src/ontology/endpoints/list.ts'
import { matrix } from '../../../src/ontology/views/matrix/matrix.ts'
import { tactic } from '../../../src/ontology/views/tactic/tactic.ts'
import { idsOf, sectionOf } from '../../support/answers.ts'
import { d3fIri, openFixture, openTurtle } from '../../support/release.ts'

describe('The list of views', () => {
  it('has the paths of the interface specification, those of D3FEND 1.0.0, tactics of attacks, pairs, and the bundle of STIX', () => {
    expect(VIEWS.map(({ path }) => path)).toStrictEqual([
      '/api/ontology/inference/onto-full-mappings.csv',
      '/api/ontology/inference/onto-full-mappings.json',
      '/api/ontology/inference/d3fend-full-mappings.csv',
      '/api/ontology/inference/d3fend-full-mappings.json',
      '/api/ontology/describe/{subject}.json',
      '/api/ontology/describe/inbound/{subject}.json',
      '/api/dao/artifact/{artifact}.json',
      '/api/dao/artifacts.json',
      '/api/matrix-graph.json',
      '/api/matrix.json',
      '/api/offensive-technique/all.json',
      '/api/offensive-technique/attack/{technique}.json',
      '/api/tactic/{tactic}.json',
      '/api/tactic/all.json',
      '/api/technique/{technique}.json',
      '/api/technique/all.json',
      '/api/version.json',
      '/api/weakness/all.json',
      '/api/weakness/cwe/{weakness_id}.json',
      '/api/event/all.json',
      '/api/event/{event}.json',
      '/api/acf/technique/{technique}.json',
      '/api/taxonomies/{root}.json',
      '/api/mappings/attack-mitigations.json',
      '/api/mappings/{catalog}.json',
      '/api/mappings/{catalog}.csv',
      '/api/mappings/{catalog}.tsv',
      '/api/ontology/properties/object/all.json',
      '/api/progress.json',
      '/api/offensive-technique/tactics.json',
      '/api/ontology/mappings/technique-to-attack.json',
      '/api/ontology/mappings/technique-to-attack.csv',
      '/api/ontology/mappings/technique-to-weakness.json',
      '/api/ontology/mappings/technique-to-weakness.csv',
      '/api/ontology/mappings/technique-to-control.json',
      '/api/ontology/mappings/technique-to-control.csv',
      '/api/stix/bundle.json',
    ])
  })

  it('has each operation once, and a path parameter for each record', () => {
    expect(new Set(VIEWS.map(({ operation }) => operation)).size).toBe(VIEWS.length)
    for (const view of VIEWS) {
      const parameter = /\{(.*)\}/.exec(view.path)?.[1]
      expect(view.kind === 'record' ? view.parameter.name : undefined).toBe(parameter)
    }
  })
})

describe.each(VIEWS)('$path', (view) => {
  /** The text of every answer that a view has for a release, the same way it is served. */
  async function texts(turtle: 'ten' | 'small' | 'two-tactics'): Promise<readonly string[]> {
    const release = await openFixture(turtle)
    const answers =
      view.kind === 'document'
        ? [view.answer(release)]
        : Array.from(view.members(release).values(), (iri) => view.answer(release, iri))
    return (await Promise.all(answers)).map((answer) => [...view.format.write(answer)].join(''))
  }

  it.each(['ten', 'small', 'two-tactics'] as const)(
    'answers for the ontology of "%s", every time with the same bytes',
    async (fixture) => {
      const answers = await texts(fixture)
      expect(answers.every((text) => text.length > 0)).toBe(true)
      if (view.kind === 'document') expect(answers).toHaveLength(1)
      const hasBlankNodes = fixture === 'small'
      if (!hasBlankNodes) expect(await texts(fixture)).toStrictEqual(answers)
    },
  )

  it('answers for an almost empty ontology', async () => {
    const release = await openTurtle(':A rdfs:label "A" .')
    if (view.kind === 'document') {
      const text = [...view.format.write(await view.answer(release))].join('')
      expect(text.length).toBeGreaterThan(0)
    } else {
      expect(view.members(release).size).toBeLessThan(3)
    }
  })
})

describe('A technique that enables two tactics', async () => {
  const release = await openFixture('two-tactics')

  it.each(['Detect', 'Harden'])('is in the tactic view of %s', async (name) => {
    const answer = await tactic.answer(release, d3fIri(name))
    expect(idsOf(sectionOf(answer, 'techniques'))).toContain('d3f:Watching')
  })

  it('is in the matrix under both', async () => {
    const text = JSON.stringify(await matrix.answer(release))
    expect(text.match(/"@id":"d3f:Watching"/g)).toHaveLength(2)
  })
})
