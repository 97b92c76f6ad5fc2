import { expect, it } from 'vitest'
import type { CounterPath, OntologyContent } from '../../src/contracts/sources.ts'
import { landscapeOf } from '../../src/coverage/landscape.ts'
import { COUNTERS, ontologyOf } from '../search/related-sample.ts'

it('The landscape of a release has no ways of the one that takes its place meanwhile', async () => {
  const before = await ontologyOf().content()
  const after = { ...before, version: '2.0.0', digest: 'b'.repeat(64) }
  let served: OntologyContent = before
  const ontology = ontologyOf({
    content: () => Promise.resolve(served),
    counters: (): Promise<readonly CounterPath[]> => {
      const isFirst = served === before
      served = after
      return Promise.resolve(isFirst ? [] : COUNTERS)
    },
  })
  const landscape = await landscapeOf(ontology)
  expect(landscape.release.version).toBe('2.0.0')
  expect([...landscape.ways.keys()]).toEqual(['urn:Bolting'])
  served = before
  // The landscape of the first release is not served again later either.
  expect((await landscapeOf(ontology)).release.version).toBe('2.0.0')
})
