import { expect, it } from 'vitest'
import { lookUp } from '../../../src/ontology/lookup/lookup.ts'
import { d3fIri, openTurtle } from '../../support/release.ts'

it('A name of several records finds the first, and five others at most', async () => {
  const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
  const release = await openTurtle(
    names
      .map((name) => `:${name} a owl:Class ; rdfs:subClassOf :DigitalArtifact ; rdfs:label "Same Thing" .`)
      .join('\n'),
  )
  const [match] = (await lookUp(release, ['same-thing'])).found
  expect([match?.record, ...(match?.others ?? [])].map((record) => record?.iri)).toEqual(names.slice(0, 6).map(d3fIri))
})
