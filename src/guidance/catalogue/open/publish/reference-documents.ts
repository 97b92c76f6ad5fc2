import { findAttackGuidance } from '../../linked-data/attacks/attack-guidance.ts'
import { encodeSegment, IRI_PATHS } from '../../linked-data/graph/iris.ts'
import { readAttackItem, readAttackList } from '../../reference-data/attack/documents.ts'
import { requireDomains } from '../../reference-data/attack/find.ts'
import { TechniqueLists } from '../../reference-data/attack/technique-lists.ts'
import { readAllCcis, readCci } from '../../reference-data/ccis/documents.ts'
import { findControlIds, readControl, readMatrix } from '../../reference-data/controls/documents.ts'
import { readCweEntry, readCweRows } from '../../reference-data/cwe/documents.ts'
import { readMappingCollection } from '../../reference-data/oscal-mapping/mapping-collection.ts'
import { findItemIds, listSources, listVersions } from '../../reference-data/reader.ts'
import { shapeSource } from '../../reference-data/schemas.ts'
import {
  attackAddress,
  cciAddress,
  controlAddress,
  cweAddress,
  guidanceAddress,
  MAPPING_ADDRESS,
  REFERENCE_ADDRESS,
} from '../addresses.ts'
import { json, wholeBody, type CatalogueDocument } from './document.ts'
import { page } from './pages.ts'
import type { DocumentSources } from './sources.ts'

/**
 * Yields the documents of CCIs, controls, attacks and weaknesses. The pages of attacks are published with the ontology.
 */
export async function* referenceDocuments(sources: DocumentSources): AsyncGenerator<CatalogueDocument, void> {
  yield json(REFERENCE_ADDRESS, async () => ({
    sources: (await listSources(sources.reader)).map(shapeSource),
  }))
  yield* cciDocuments(sources)
  yield* controlDocuments(sources)
  yield* attackDocuments(sources)
  yield* weaknessDocuments(sources)
}

async function* cciDocuments(sources: DocumentSources): AsyncGenerator<CatalogueDocument, void> {
  const { reader, cciList, pageAt } = sources
  if (cciList === null) return
  yield json(cciAddress('all'), () => readAllCcis(reader, cciList))
  yield json(MAPPING_ADDRESS, () => readMappingCollection(sources, cciList))
  for (const id of await findItemIds(reader, [cciList])) {
    yield json(cciAddress(id), () => readCci(sources, cciList, id))
    if (pageAt !== undefined) yield page(IRI_PATHS.cci(id), pageAt)
  }
}

async function* controlDocuments(sources: DocumentSources): AsyncGenerator<CatalogueDocument, void> {
  const { reader, cciList, pageAt } = sources
  for (const id of await findControlIds(reader)) {
    yield json(controlAddress(id, 'json'), () => readControl(sources, id))
    if (cciList !== null)
      yield { url: controlAddress(id, 'csv'), write: async () => wholeBody((await readMatrix(reader, id)).body) }
    if (pageAt !== undefined) yield page(`/controls/${encodeSegment(id)}`, pageAt)
  }
}

async function* attackDocuments({ reader, attacks, links }: DocumentSources): AsyncGenerator<CatalogueDocument, void> {
  const parts = { reader, attacks, links: { current: () => Promise.resolve(links) } }
  if ((await listVersions(reader, 'attack')).length > 0) {
    const sources = await requireDomains(reader, undefined)
    const list = await readAttackList(new TechniqueLists(reader), sources)
    yield json(attackAddress('all'), () => list)
    const ids = new Set(list.techniques.map(({ id }) => id))
    for (const id of ids) yield json(attackAddress(id), () => readAttackItem(parts, sources, id))
  }
  if (attacks === null || links === null) return
  const { documents } = await attacks.content()
  for (const { kind, id } of documents)
    if (kind === 'offensive-technique' && id !== null)
      yield json(guidanceAddress(id), () => findAttackGuidance(parts, id))
}

async function* weaknessDocuments({ reader }: DocumentSources): AsyncGenerator<CatalogueDocument, void> {
  const versions = await listVersions(reader, 'cwe')
  const [newest] = versions
  if (newest === undefined) return
  yield json(cweAddress('all'), async () => ({
    source: shapeSource(newest),
    entries: await readCweRows(reader, newest),
  }))
  for (const id of await findItemIds(reader, versions))
    yield json(cweAddress(id), () => readCweEntry(reader, { name: id }))
}
