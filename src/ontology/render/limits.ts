import type { ThreadLimits } from '../../platform/threads/supervised-thread.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'

/**
 * Limits that normal work does not reach, even on slow and busy machines. An ontology of 6 MB (D3FEND) opens in a
 * second and takes half a second for its largest answer, both within 64 MB; one ten times as large takes 10 s for
 * either, and 300 MB.
 */
export async function limitsFor(folder: ReleaseFolder, manifest: Manifest): Promise<ThreadLimits> {
  const megabytes = Math.ceil((await folder.graphBytes(manifest)) / 1_000_000)
  return {
    heapMegabytes: 512 + 12 * megabytes,
    openingMs: 60_000 + 10_000 * megabytes,
    answerMs: 30_000 + 2000 * megabytes,
  }
}
