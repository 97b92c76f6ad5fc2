export {
  activateRelease,
  findEarlierRelease,
  removeRelease,
  requireRemovable,
  rollbackRelease,
} from './administration/administer.ts'
export { checkRelease } from './administration/check.ts'
export { type CheckReport } from './administration/check-report.ts'
export { fetchRelease } from './administration/fetch.ts'
export { writeCheckReport } from './administration/write-check-report.ts'
export { findReleases } from './administration/releases.ts'
export { datasetEndpoint, type DatasetParts } from './datasets/endpoints.ts'
export { describeOntology } from './describe.ts'
export { ontologyFigures } from './figures.ts'
export { ontologyGraphs } from './graphs.ts'
export { describeRecord } from './describe-record.ts'
export { hasRecord } from './find-records.ts'
export { type Progress, type IngestOutcome } from './ingest/ingest.ts'
export { ingest } from './ingest/on-demand.ts'
export { ontologyEndpoints } from './endpoints/endpoints.ts'
export { publish, type PublishOutcome } from './publish/publish.ts'
export { reportEndpoints } from './reports/endpoints.ts'
export { RELEASE_FEED } from './reports/feed.ts'
export { openReleases } from './release/copies.ts'
export { pushRelease } from './release/push.ts'
export { ReleaseFolder } from './release/folder.ts'
export { findRecordPaths } from './find-records.ts'
export { findRecordPath } from './find-records.ts'
export { explainNoneActive } from './release/unknown.ts'
export { ontologyRoutes, peekOntology } from './routes.ts'
export { OntologyService } from './service.ts'
