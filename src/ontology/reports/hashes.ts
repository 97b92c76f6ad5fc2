import { z } from 'zod'
import type { Manifest } from '../release/manifest.ts'
import type { HashedPath } from '../render/hash-paths.ts'

export const hashesSchema = z.object({
  version: z.string(),
  sha256: z.string().meta({ description: 'SHA-256 of the canonical N-Quads of the release' }),
  records: z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() })).meta({
    description:
      'By path, percent-encoded: size and SHA-256 of the uncompressed answer. The path is below /api/ while the ' +
      'release is active, and below /releases/{version}/api/ at any time; the ETag begins with the first 32 digits.',
  }),
})

/** The hashes as they are sent, in pieces: there may be many. */
export function* hashesPieces({ version, sha256 }: Manifest, hashes: readonly HashedPath[]): Generator<string, void> {
  yield `${JSON.stringify({ version, sha256 }).slice(0, -1)},"records":{`
  let separator = ''
  for (const { path, bytes, sha256: digest } of hashes) {
    yield `${separator}\n${JSON.stringify(path)}:${JSON.stringify({ bytes, sha256: digest })}`
    separator = ','
  }
  yield '}}\n'
}
