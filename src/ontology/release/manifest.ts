import { z } from 'zod'
import { messageOf, Refusal } from '../../platform/errors.ts'

const check = z.object({
  name: z.string(),
  summary: z.string(),
  severity: z.enum(['error', 'warning']),
  violations: z.int(),
  examples: z.array(z.string()),
})

const source = z.object({ name: z.string(), sha256: z.string(), bytes: z.int() })

export const manifestSchema = z.object({
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
export type Manifest = z.infer<typeof manifestSchema>
export type CheckResult = z.infer<typeof check>
export type SourceRecord = z.infer<typeof source>

/** Reads a manifest; refuses a damaged one with `folder_unusable`, naming the file and the place. */
export function parseManifest(text: string, file: string): Manifest {
  const parsed = manifestSchema.safeParse(parseJson(text, file))
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter((part) => part !== '').join(': '),
  )
  throw damaged(file, issues.join('; '))
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = messageOf(error)
    const [, reason = message, offset] =
      /^(.*?)(?: in JSON)? at position (\d+)/s.exec(message) ?? []
    const before = text.slice(0, offset === undefined ? text.length : Number(offset)).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    throw damaged(`${file}, line ${before.length}, column ${column}`, reason)
  }
}

function damaged(where: string, reason: string): Refusal {
  return new Refusal('folder_unusable', `The manifest is damaged: ${where}: ${reason}.`)
}

/** Whether two manifests are of the same content under the same version. */
export function isSame(manifest: Manifest, other: Manifest | undefined): boolean {
  return manifest.version === other?.version && manifest.sha256 === other.sha256
}
