import { describe, expect, it } from 'vitest'
import type { ListCoverage } from '../../src/contracts/list-coverage.ts'
import { coverageIn } from '../../src/coverage/coverage.ts'
import { measure } from '../../src/coverage/measure.ts'
import { findOntologyPaths } from '../../src/coverage/ontology-paths.ts'
import { linkSources } from '../../src/coverage/own-list/guidance.ts'
import { shapeListReport } from '../../src/coverage/own-list/report.ts'
import { shapeReport } from '../../src/coverage/report.ts'
import { ontologyOf } from '../search/related-sample.ts'
import { documentOf } from '../search/small.ts'
import { pathsTo, sourceOf } from './small.ts'

const HEAD: ListCoverage['list'] = {
  form: 'list',
  items: 1,
  left_out: 0,
  attacks: 0,
  techniques: 1,
  unknown: [],
  unknown_count: 0,
}

describe('The guidance for a list', () => {
  it('counts a rule once for a CCI that it cites twice, and lists equal documents by their names', async () => {
    const paths = pathsTo('T1110')
    const techniques = new Map([...paths.techniques].map(([iri, document]) => [iri, { document, places: ['line 1'] }]))
    const list = { head: HEAD, attacks: new Map(), techniques }
    const sources = ['Samovar', 'Kettle'].map((name) => sourceOf(name, { one: ['CCI-000044', 'CCI-000044'] }))
    const newest = await linkSources(sources, { paths, list, links: paths.links })
    const { guidance } = shapeListReport({ paths, list, against: null, named: null, newest, others: [] })
    expect(guidance.map(({ name, links }) => [name, links.map(({ rules }) => rules)])).toEqual([
      ['Kettle', [1]],
      ['Samovar', [1]],
    ])
  })
})

describe('A report', () => {
  it('names other releases that link CCIs, the newest first', async () => {
    const content = await ontologyOf().content()
    const withoutLinks = { ...content, version: '3.0', links: [] }
    const unlinked = ontologyOf({ content: () => Promise.resolve(withoutLinks) })
    const coverage = coverageIn(unlinked, {
      versions: () => Promise.resolve(['9.0', '3.0', '10.0', '1.0']),
      at: (version) => ({
        ...ontologyOf({ content: () => Promise.resolve({ ...content, version, digest: version }) }),
        controls: () => Promise.reject(new Error('No controls')),
      }),
    })
    const options = { release: null, against: null, domains: [], relations: [] }
    const report = await coverage.report({ ...options, sources: [sourceOf('Samovar', { one: ['CCI-000044'] })] })
    expect(report.linking_releases).toEqual(['10.0', '9.0', '1.0'])
  })

  it('has techniques in the order of the numbers in their ids, and tactics in that of the matrix', async () => {
    const [early, late] = ['Early', 'Late'].map((label) => ({ iri: `urn:${label}`, label }))
    if (early === undefined || late === undefined) throw new Error('Two tactics')
    const documents = [
      documentOf('B', { kind: 'technique', id: 'D3-A10', label: 'B', tactics: [early] }),
      documentOf('A', { kind: 'technique', id: 'D3-A9', label: 'A', tactics: [late] }),
    ]
    const content = { ...(await ontologyOf().content()), documents, links: [], tacticOrder: [early.iri, late.iri] }
    const paths = await findOntologyPaths(ontologyOf({ content: () => Promise.resolve(content) }))
    const { gaps, tactics } = shapeReport(measure(paths, []), { against: null, others: [] })
    expect(gaps.defensive_techniques.map(({ d3fend_id }) => d3fend_id)).toEqual(['D3-A9', 'D3-A10'])
    expect(tactics.defensive.map(({ label }) => label)).toEqual(['Early', 'Late'])
  })
})
