import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { readNTriples } from '../../graph/syntax/n3.ts'
import { Refusal } from '../../platform/errors.ts'
import { ingest } from '../ingest/ingest.ts'
import { ReleaseFolder } from '../release/folder.ts'
import type { LoadedRelease } from './compare.ts'
import { loadRelease } from './load.ts'

/** A file of the ontology, and an empty folder for the release that is made from it. */
interface ComparedSource {
  readonly file: string
  readonly folder: string
}

const LIMITS = { maxBytes: 256 * 1024 * 1024, timeoutMs: 60_000 }

/**
 * Makes a release from a file, like an ingest, with the same refusals. Without a version or date, the name of the file
 * and the day of its last change are used.
 */
export async function loadSource({ file, folder: root }: ComparedSource): Promise<LoadedRelease> {
  const folder = new ReleaseFolder(root)
  const options = { ...LIMITS, sources: [file] }
  const { manifest } = await ingest(folder, options).catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'version_unknown') throw error
    return ingest(folder, { ...options, ...(await identityOf(file)) })
  })
  return loadRelease(folder, manifest, readNTriples)
}

async function identityOf(file: string): Promise<{ readonly version: string; readonly date: string }> {
  const { mtime } = await stat(file)
  const version = basename(file)
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[^a-z0-9]+/i, '')
  return { version: version === '' ? 'unnamed' : version, date: mtime.toISOString().slice(0, 10) }
}
