import { getOrMake } from '../../platform/get-or-make.ts'
import type { Release } from '../release/release.ts'
import { encodePath, listPaths, type ReleasePath } from './paths.ts'
import { measurePath } from './render.ts'

/** A path of a release, percent-encoded, with the size and digest of its uncompressed answer. */
export interface HashedPath {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

export interface HashedPaths {
  readonly hashes: readonly HashedPath[]
  /** The path to continue with; null at the end. */
  readonly next: number | null
}

const paths = new WeakMap<Release, readonly ReleasePath[]>()

/** Hashes the answers of paths, in order, for `forMs` but at least one, so that other requests get their turn. */
export async function hashPaths(
  release: Release,
  { from, forMs }: { readonly from: number; readonly forMs: number },
): Promise<HashedPaths> {
  const releasePaths = getOrMake(paths, release, () => apiPathsOf(release))
  const until = performance.now() + forMs
  const hashes: HashedPath[] = []
  let index = from
  for (let path = releasePaths[index]; path !== undefined; path = releasePaths[index]) {
    const { length, sha256 } = await measurePath(release, path.folder + path.name)
    hashes.push({ path: encodePath(path), bytes: length, sha256 })
    index += 1
    if (performance.now() >= until) break
  }
  return { hashes, next: index < releasePaths.length ? index : null }
}

/** Without the files with the whole ontology, because they are not below `/api/`. */
function apiPathsOf(release: Release): readonly ReleasePath[] {
  const releasePaths = listPaths(release, { describe: true })
  return releasePaths.filter(({ folder }) => folder.startsWith('/api/'))
}
