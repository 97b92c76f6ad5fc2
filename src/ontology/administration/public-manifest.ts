import { basename } from 'node:path'
import type { Manifest } from '../release/manifest.ts'

/**
 * What anybody may read of a manifest: sources go by the names of their files alone, and their addresses lose what may be
 * secret. All else is as it was ingested, so that whoever fetches the release has the same.
 */
export function publicManifest(manifest: Manifest): Manifest {
  const sources = manifest.sources.map((source) => ({ ...source, name: publicName(source.name) }))
  return { ...manifest, sources }
}

function publicName(name: string): string {
  if (!/^https?:\/\//i.test(name) || !URL.canParse(name)) return basename(name)
  const { origin, pathname } = new URL(name)
  return origin + pathname
}

/** Where a release can be fetched, below the address of a service or of a published tree. */
export function fetchedPaths({ version, graphFile }: Manifest): {
  readonly manifest: string
  readonly graph: string
} {
  const home = `/releases/${encodeURIComponent(version)}`
  return { manifest: `${home}/manifest.json`, graph: `${home}/${graphFile}` }
}

export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify(publicManifest(manifest), null, 2)}\n`
}
