// @module-tag database

import { describe, expect, it } from 'vitest'
import { EmbeddedGraph } from '../../../../../../src/graph/store.ts'
import { catalogueSource } from '../../../../../../src/guidance/catalogue/linked-data/graph/catalogue-source.ts'
import { irisOf } from '../../../../../../src/guidance/catalogue/linked-data/graph/iris.ts'
import { publicCatalogue } from '../../../../../../src/guidance/catalogue/linked-data/graph/public-graphs.ts'
import { referenceGraphSource } from '../../../../../../src/guidance/catalogue/linked-data/graph/reference/reference-graphs.ts'
import { storeAttack } from '../../../../../support/attack-bundle.ts'
import { storeCwe } from '../../../../../support/cwe.ts'
import { freshDatabase } from '../../../../../support/fresh-database.ts'
import { CCIS, cciList, storeCciList, storeOscal } from '../../../../../support/reference-data.ts'

const BASE = 'https://guidance.example'
const SKOS = 'http://www.w3.org/2004/02/skos/core#'
const DCTERMS = 'http://purl.org/dc/terms/'

async function opened() {
  const database = await (await freshDatabase()).open()
  const iris = irisOf(BASE)
  const references = referenceGraphSource(database)
  const catalogue = publicCatalogue({ source: catalogueSource(database), iris, ontology: null, references })
  const graphs = async () => (await catalogue.list()).filter(({ iri }) => iri.startsWith(iris.references))
  /** The statements of the newest version, as lines of N-Triples. */
  const lines = async (kind: string): Promise<readonly string[]> => {
    const graph = (await graphs()).find(({ iri, role }) => role === 'named' && iri.includes(`/${kind}/`))
    const bytes = graph === undefined ? null : await catalogue.read(graph)
    if (bytes === null) return []
    // Everything can be loaded.
    new EmbeddedGraph().load(bytes, 'application/n-triples', BASE)
    return new TextDecoder().decode(bytes).split('\n')
  }
  return { database, graphs, lines }
}

describe('The graphs of reference data', () => {
  it('are one for each version, of which older ones have to be named', async () => {
    const { database, graphs, lines } = await opened()
    await storeCciList(database, cciList(CCIS, '2026-01-05'))
    await storeCciList(database, cciList(CCIS, '2026-01-10'))
    await storeOscal(database)
    const found = await graphs()
    expect(found.map(({ iri, role, title }) => [iri.replace(/[^/]+$/, ''), role, title])).toEqual([
      [`${BASE}/reference-data/cci_list/2026-01-10/`, 'named', 'CCI list 2026-01-10'],
      [`${BASE}/reference-data/cci_list/2026-01-05/`, 'pinned', 'CCI list 2026-01-05'],
      [`${BASE}/reference-data/sp800_53/5.1.1/`, 'named', 'NIST SP 800-53 5.1.1'],
    ])
    expect(await lines('cci_list')).toEqual(
      expect.arrayContaining([
        `<${found[0]?.iri ?? ''}> <${DCTERMS}replaces> <${found[1]?.iri ?? ''}> .`,
        `<${BASE}/ccis/CCI-000366> <${SKOS}definition> "What CCI-000366 asks for." .`,
        `<${BASE}/ccis/CCI-000366> <${SKOS}broadMatch> <${BASE}/controls/CM-6> .`,
        `<${BASE}/ccis/CCI-000366> <${SKOS}inScheme> <${found[0]?.iri ?? ''}> .`,
      ]),
    )
    expect(await lines('sp800_53')).toEqual(
      expect.arrayContaining([
        `<${BASE}/controls/AC-2%20%281%29> <${SKOS}broader> <${BASE}/controls/AC-2> .`,
        `<${BASE}/controls/AC-2%20%281%29> <${DCTERMS}identifier> "ac-2.1" .`,
      ]),
    )
  })

  it('keep the STIX ids of ATT&CK, and lead from deprecated weaknesses to their successors', async () => {
    const { database, lines } = await opened()
    await storeAttack(database)
    await storeCwe(database)
    const attack = await lines('attack')
    expect(attack).toContain(`<${BASE}/attack/T9001> <${DCTERMS}identifier> "attack-pattern--t9001" .`)
    expect(attack).toContain(`<${BASE}/attack/T9001.001> <${SKOS}broader> <${BASE}/attack/T9001> .`)
    expect(await lines('cwe')).toEqual(
      expect.arrayContaining([
        `<${BASE}/cwe/CWE-901> <${SKOS}broader> <${BASE}/cwe/CWE-902> .`,
        `<${BASE}/cwe/CWE-903> <${DCTERMS}isReplacedBy> <${BASE}/cwe/CWE-901> .`,
        `<${BASE}/cwe/CWE-901> <${DCTERMS}isPartOf> <${BASE}/cwe/CWE-910> .`,
      ]),
    )
  })

  it('are removed with their version', async () => {
    const { database, graphs } = await opened()
    await storeCwe(database)
    expect(await graphs()).toHaveLength(1)
    await database.transact((writer) => writer.deleteFrom('reference_sources').execute())
    expect(await graphs()).toEqual([])
  })
})
