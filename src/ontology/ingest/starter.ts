import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../platform/log.ts'
import { ReleaseFolder } from '../release/folder.ts'

const STARTER = new URL('../../../data/ontology/', import.meta.url)
const STARTER_LIMITS = { maxBytes: 64 * 1024 * 1024, timeoutMs: 1000 }

/**
 * Ingests the bundled ontology into a folder that never had a release, so that a new instance has a matrix. If there
 * are releases but none is active, the file with the name of the active one is lost: then nothing is ingested, and the
 * service explains what to do.
 */
export async function ingestStarter(dataDir: string, log: Log): Promise<void> {
  const folder = new ReleaseFolder(dataDir)
  if ((await folder.active()) !== null) return
  const names = readdirSync(STARTER).filter((name) => name.endsWith('.ttl'))
  const sources = names.sort().map((name) => fileURLToPath(new URL(name, STARTER)))
  if ((await folder.isUsed()) && !(await hasOnly(folder, sources))) return
  const { ingest } = await import('./ingest.ts')
  const { manifest } = await ingest(folder, { sources, ...STARTER_LIMITS })
  log.info({ version: manifest.version }, 'There is no release: ingesting the bundled ontology')
}

/** Whether the only release was made from these files: then the first start was interrupted before its activation. */
async function hasOnly(folder: ReleaseFolder, sources: readonly string[]): Promise<boolean> {
  const [version = '', ...others] = await folder.versions()
  if (others.length > 0) return false
  const manifest = await folder.manifest(version).catch(() => null)
  const digests = sources.map((file) => createHash('sha256').update(readFileSync(file)).digest('hex'))
  const ingested = manifest?.sources.map(({ sha256 }) => sha256) ?? []
  return digests.sort().join() === ingested.sort().join()
}
