import { z } from 'zod'

const check = z.object({
  name: z.string(),
  summary: z.string(),
  severity: z.enum(['error', 'warning']),
  violations: z.int(),
  examples: z.array(z.string()),
})

const source = z.object({ name: z.string(), sha256: z.string(), bytes: z.int() })

const manifest = z.object({
  version: z.string(),
  releaseDate: z.string(),
  /** SHA-256 of the canonical N-Quads (RDFC-1.0, sorted): equal graphs have equal digests. */
  sha256: z.string(),
  graphFile: z.string(),
  ingestedAt: z.string(),
  sources: z.array(source),
  counts: z.object({
    statements: z.int(),
    directFromRestrictions: z.int(),
    subjects: z.int(),
    defensiveTechniques: z.int(),
    offensiveTechniques: z.int(),
    artifacts: z.int(),
    weaknesses: z.int(),
  }),
  checks: z.array(check),
  prefixes: z.record(z.string(), z.string()),
})

/** What a release says of itself; written once, beside the graph. */
export type Manifest = z.infer<typeof manifest>
export type CheckResult = z.infer<typeof check>
export type SourceRecord = z.infer<typeof source>

export function parseManifest(text: string): Manifest {
  return manifest.parse(JSON.parse(text))
}
