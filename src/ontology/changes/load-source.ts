import { readNTriples } from '../../graph/syntax/n3.ts'
import { ingest } from '../ingest/ingest.ts'
import type { ReadLimits } from '../ingest/read.ts'
import { ReleaseFolder } from '../release/folder.ts'
import type { LoadedRelease } from './compare.ts'
import { loadRelease } from './load.ts'

/** A file of the ontology, and an empty folder in which a release is made of it. */
interface ComparedSource extends ReadLimits {
  readonly file: string
  readonly folder: string
}

const SILENT = { step: () => undefined, bytes: () => undefined }

/** Makes a release of a file, as an ingest does. Refuses what an ingest refuses. */
export async function loadSource({ file, folder: root, ...limits }: ComparedSource): Promise<LoadedRelease> {
  const folder = new ReleaseFolder(root)
  const { manifest } = await ingest(folder, { ...limits, sources: [file] }, SILENT)
  return loadRelease(folder, manifest, readNTriples)
}
