import { basename } from 'node:path'
import { formatManifest, type Manifest } from '../release/manifest.ts'

/**
 * Removes the parts of a manifest that only operators may read: folders of sources, and parts of their addresses that
 * may be secret. The other members stay, so that a fetched release is the same. The public manifest has a digest of its own.
 */
function publicManifest(manifest: Manifest): Manifest {
  return { ...manifest, sources: manifest.sources.map((source) => ({ ...source, name: publicName(source.name) })) }
}

function publicName(name: string): string {
  if (!/^https?:\/\//i.test(name) || !URL.canParse(name)) return basename(name)
  const { origin, pathname } = new URL(name)
  return origin + pathname
}

/** Addresses of a release below that of a service or of a published tree. */
export function releaseFilePaths({ version, graphFile }: Manifest): {
  readonly manifest: string
  readonly graph: string
} {
  const home = `/releases/${encodeURIComponent(version)}`
  return { manifest: `${home}/manifest.json`, graph: `${home}/${graphFile}` }
}

export function formatPublicManifest(manifest: Manifest): string {
  return formatManifest(publicManifest(manifest))
}
