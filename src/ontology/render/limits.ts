import type { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'

/** What a rendering thread may take before it counts as broken. */
export interface RenderLimits {
  /** Of the JavaScript heap, in megabytes; the graph and compressed bytes lie outside it. */
  readonly heapMegabytes: number
  /** For opening the release. */
  readonly openingMs: number
  /** For one answer, from when the thread gets it. */
  readonly answerMs: number
}

/**
 * Limits that honest work stays away from, on slow and busy machines too. An ontology of 6 MB (D3FEND) opens in a
 * second and takes half a second for its largest answer, both within 64 MB; one ten times as large takes 10 s for
 * either, and 300 MB.
 */
export async function limitsFor(folder: ReleaseFolder, manifest: Manifest): Promise<RenderLimits> {
  const megabytes = Math.ceil((await folder.graphBytes(manifest)) / 1_000_000)
  return {
    heapMegabytes: 512 + 12 * megabytes,
    openingMs: 60_000 + 10_000 * megabytes,
    answerMs: 30_000 + 2000 * megabytes,
  }
}
