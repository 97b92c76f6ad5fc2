import { createHash } from 'node:crypto'
import type { Statement } from '../../graph/term.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'
import type { LoadedRelease } from './compare.ts'

/** Loads a release from the folder, and throws if it is not what the manifest says. */
export async function loadRelease(
  folder: ReleaseFolder,
  manifest: Manifest,
  parse: (nquads: string) => readonly Statement[],
): Promise<LoadedRelease> {
  const nquads = await folder.graph(manifest)
  const digest = createHash('sha256').update(nquads).digest('hex')
  if (digest !== manifest.sha256) throw new Error(`${manifest.graphFile} is damaged`)
  return { manifest, statements: parse(nquads) }
}
