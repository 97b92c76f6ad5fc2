export { ingest, type IngestOptions, type IngestOutcome, type Progress } from './ingest/ingest.ts'
export { ReleaseFolder } from './release/folder.ts'
