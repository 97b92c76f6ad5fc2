import { createHash } from 'node:crypto'
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

/** The manifest of a release; it is written once, beside the graph. */
export type Manifest = z.infer<typeof manifestSchema>
export type CheckResult = z.infer<typeof check>
export type SourceRecord = z.infer<typeof source>

/** A manifest as a file: with the digest of its other members. */
export const manifestFileSchema = manifestSchema.extend({
  manifestSha256: z.string().optional().meta({
    description:
      'SHA-256 of the other members as JSON without blanks, in the order of the file. Older releases have none.',
  }),
})

/** Manifests of older programs, which have no digest. Strict, so that a misspelt member counts as damage. */
const olderSchema = z.strictObject(manifestSchema.shape)

/** The text of the file, with the digest that {@link parseManifest} compares. */
export function formatManifest(manifest: Manifest): string {
  const content = { ...manifest, manifestSha256: digestOf(manifest) }
  return `${JSON.stringify(content, null, 2)}\n`
}

/**
 * Reads a manifest; refuses a damaged one with `folder_unusable`, naming the file and the place. Every member is under
 * the digest, also those that this version of the program does not know.
 */
export function parseManifest(text: string, file: string): Manifest {
  const content = parseJson(text, file)
  const { manifestSha256: statedDigest, ...members } = z.looseObject({}).safeParse(content).data ?? {}
  const schema = statedDigest === undefined ? olderSchema : manifestSchema
  const parsed = schema.safeParse(content)
  if (!parsed.success) throw damagedManifest(file, issuesOf(parsed.error))
  if (statedDigest === undefined || statedDigest === digestOf(members)) return parsed.data
  throw damagedManifest(file, 'the digest of its members differs from "manifestSha256"')
}

function digestOf(members: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(JSON.stringify(members)).digest('hex')
}

function issuesOf({ issues }: z.ZodError): string {
  const lines = issues.map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(': '))
  return lines.join('; ')
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = messageOf(error)
    const [, reason = message, offset] = /^(.*?)(?: in JSON)? at position (\d+)/s.exec(message) ?? []
    const before = text.slice(0, offset === undefined ? text.length : Number(offset)).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    throw damagedManifest(`${file}, line ${before.length}, column ${column}`, reason)
  }
}

function damagedManifest(where: string, reason: string): Refusal {
  return new Refusal('folder_unusable', `The manifest is damaged: ${where}: ${reason}.`)
}

/** Whether two manifests are of the same content under the same version. */
export function isSame(manifest: Manifest, other: Manifest | undefined): boolean {
  return manifest.version === other?.version && manifest.sha256 === other.sha256
}
