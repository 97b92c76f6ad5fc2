import type { DescribedRecord } from './contracts/described.ts'
import { RDF_TYPES } from './graph/syntax/forms.ts'
import { pageNamed, type GuidanceService } from './guidance/index.ts'
import { describeRecord, findRecordPath, hasRecord, RELEASE_FEED, type OntologyService } from './ontology/index.ts'
import { pageOfRecord } from './web/paths/record-page.ts'
import type { RecordLookup } from './web/server/record-lookup.ts'

/** Looks up the records of pages in both services. */
export function pageRecords(ontology: OntologyService, guidance: GuidanceService): Omit<RecordLookup, 'queryTypes'> {
  return {
    hasRecord: (path, version) =>
      path.startsWith('/api/') ? hasRecord(ontology, path, version) : guidance.hasRecord(path),
    describeRecord: (path, version) =>
      path.startsWith('/api/') ? describePage(ontology, path, version) : guidance.describeRecord(path),
    feeds: { ontology: RELEASE_FEED, catalogue: guidance.feed },
    pageOf: (path) => guidance.pageOf(path),
    pageNamed: async (name, version) => {
      const page = pageNamed(name)
      const record = page === null ? await findRecordPath(ontology, name, version) : null
      return record === null ? page : pageOfRecord(record)
    },
    resourceTypes: ['application/json', ...RDF_TYPES],
    apiPaths: guidance.endpoints.map(({ path }) => path),
    sessionCookie: guidance.cookie,
  }
}

/** Describes a record of the ontology with the address of its page, which names a release that is not active. */
async function describePage(
  ontology: OntologyService,
  path: string,
  version: string | null,
): Promise<DescribedRecord | null> {
  const record = await describeRecord(ontology, path, version)
  const page = record === null ? null : pageOfRecord(record.path)
  if (record === null || page === null) return null
  const isOther = version !== null && version !== ontology.current?.manifest.version
  return { ...record, path: isOther ? `${page}?release=${encodeURIComponent(version)}` : page }
}
