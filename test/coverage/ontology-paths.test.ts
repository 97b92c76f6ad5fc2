import { expect, it } from 'vitest'
import type { CounterPath, OntologyContent } from '../../src/contracts/sources.ts'
import { measure } from '../../src/coverage/measure.ts'
import { findOntologyPaths, limitTo } from '../../src/coverage/ontology-paths.ts'
import { shapeReport } from '../../src/coverage/report.ts'
import { findCounters } from '../../src/ontology/documents/counters.ts'
import { findContent } from '../../src/ontology/documents/documents.ts'
import { COUNTERS, ontologyOf } from '../search/related-sample.ts'
import { openFixture } from '../support/release.ts'
import { sourceOf } from './small.ts'

it('The paths of a release has no paths of a release activated meanwhile', async () => {
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
  const paths = await findOntologyPaths(ontology)
  expect(paths.release.version).toBe('2.0.0')
  expect([...paths.counterPaths.keys()]).toEqual(['urn:Bolting'])
  served = before
  // The paths of the first release is not served again later either.
  expect((await findOntologyPaths(ontology)).release.version).toBe('2.0.0')
})

it('The paths of one domain has only its attacks and tactics', async () => {
  const release = await openFixture('domains')
  const content = await findContent(release)
  const whole = await findOntologyPaths({
    content: () => Promise.resolve(content),
    counters: (techniques, limit = 0) => Promise.resolve(findCounters(release, techniques, limit)),
  })
  const limited = limitTo(whole, ['ics-attack', 'atlas'])
  const sources = [sourceOf('Samovar', { one: ['CCI-000366'] })]
  const report = shapeReport(measure(limited, sources), { against: null, others: [] })
  expect(report.offensive_techniques.map(({ attack_id, domain }) => [attack_id, domain])).toEqual([
    ['T0900', 'ics-attack'],
    ['T0901', 'atlas'],
  ])
  expect(report.tactics.offensive.map(({ id, domain }) => [id, domain])).toEqual([
    ['d3f:TA0104', 'ics-attack'],
    ['d3f:AML.TA0005', 'atlas'],
  ])
  expect(report.defensive_techniques).toMatchObject([{ counters: 2 }])
  expect(report.ontology.domains).toHaveLength(5)
})
