import { describe, expect, it } from 'vitest'
import { fullMappingsCsv, fullMappingsJson } from '../../../../src/ontology/views/mapping/mapping.ts'
import { technique } from '../../../../src/ontology/views/technique/technique.ts'
import { rowsOf, sectionOf, valuesOf, varsOf } from '../../../support/answers.ts'
import { openFixture } from '../../../support/release.ts'

describe('The full mappings', async () => {
  const release = await openFixture('two-tactics')
  const answer = await fullMappingsJson.answer(release)

  it('are def_to_off of every technique with an identifier, one after the other', async () => {
    const sections = await Promise.all(
      [...technique.members(release).values()].map(async (iri) =>
        sectionOf(await technique.answer(release, iri), 'def_to_off'),
      ),
    )
    expect(varsOf(answer)).toStrictEqual(varsOf(sections[0]))
    expect(rowsOf(answer)).toStrictEqual(sections.flatMap(rowsOf))
    expect(valuesOf(answer, 'query_def_tech_label', 'def_tactic')).toStrictEqual([
      'Day Watching Detect',
      'Day Watching Harden',
      'Watching Detect',
      'Watching Harden',
    ])
  })

  it('are the same rows as CSV', async () => {
    const csv = [...fullMappingsCsv.format.write(await fullMappingsCsv.answer(release))].join('')
    const [header, ...lines] = csv.split('\r\n')
    expect(header).toBe(varsOf(answer).join(','))
    expect(lines.pop()).toBe('')
    expect(lines).toStrictEqual(
      rowsOf(answer).map((row) =>
        varsOf(answer)
          .map((column) => row[column]?.value)
          .join(','),
      ),
    )
  })

  it('leave out techniques without an identifier', async () => {
    const mapped = await fullMappingsJson.answer(await openFixture('mappings'))
    expect(new Set(valuesOf(mapped, 'query_def_tech_label'))).toStrictEqual(new Set(['Pair Watching']))
  })
})
