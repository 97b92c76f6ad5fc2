import { createHash } from 'node:crypto'
import type { Benchmark, Discussion } from './benchmark.ts'

/**
 * SHA-256 (hex) of the content of a benchmark. Ignores the version of XCCDF, encoding, blanks, empty elements and
 * typographic quotes, because publishers reissue a release with such differences.
 */
export function contentDigest(benchmark: Benchmark): string {
  const { rules, ...head } = benchmark
  const hash = createHash('sha256').update(JSON.stringify({ ...head, xccdf: null }, fold))
  // Hashed rule by rule: as one text, a large benchmark would be in memory twice.
  for (const { discussion, ...rule } of rules)
    hash.update(JSON.stringify({ ...rule, discussion: nameParts(discussion) }, fold))
  return hash.digest('hex')
}

/** The oldest stored digests include these fields, also blank ones, under names such as `vulnDiscussion`. */
const FIRST_FIELDS = new Set<string>([
  'vuln_discussion',
  'false_positives',
  'false_negatives',
  'documentable',
  'mitigations',
  'severity_override_guidance',
  'potential_impacts',
  'third_party_tools',
  'mitigation_control',
  'responsibility',
  'ia_controls',
])

/**
 * Fields that were added later are included only if they are not blank, so that the digests of other files do not
 * change.
 */
function nameParts(discussion: Discussion): object {
  const fields = Object.entries(discussion)
    .filter(([name, value]) => FIRST_FIELDS.has(name) || fold(name, value) !== null)
    .map(([name, value]): [string, unknown] => [
      name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
      value,
    ])
  return Object.fromEntries(fields)
}

function fold(_key: string, value: unknown): unknown {
  if (value === '') return null
  if (typeof value === 'string') return foldText(value)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function foldText(text: string): string | null {
  const plain = text
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
  return plain === '' ? null : plain
}
