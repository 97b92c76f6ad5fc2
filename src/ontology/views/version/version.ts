import { instant } from '../../../graph/json-ld.ts'
import { JSON_FORMAT } from '../json.ts'
import type { DocumentView } from '../view.ts'

/** Ingest ensures that the graph states one version and one date (see `ingest/identity.ts`). */
export const version: DocumentView = {
  kind: 'document',
  path: '/api/version.json',
  operation: 'getVersion',
  summary: 'Version, release date and digest of the ontology',
  responseType: 'VersionData',
  format: JSON_FORMAT,
  answer: ({ manifest }) =>
    Promise.resolve({
      version: manifest.version,
      release_date: instant(manifest.releaseDate),
      ontology_version: manifest.version,
      ontology_hash_sha256: manifest.sha256,
    }),
}
