import { readFileSync } from 'node:fs'
import type { Rule } from '../xccdf/benchmark.ts'

const TABLE = new URL('../../../../data/controls/cci-nist.txt', import.meta.url)

let controls: ReadonlyMap<string, string> | null = null

/** The control in NIST SP 800-53 of each CCI: `AC-2 (1)`. */
export function nistControls(): ReadonlyMap<string, string> {
  controls ??= readTable()
  return controls
}

/** NIST SP 800-53 controls of the rule's CCIs: `AC-2 (1), CM-6 b`; null where none is known. */
export function nistControlsOf({ idents }: Pick<Rule, 'idents'>): string | null {
  const known = nistControls()
  const found = new Set(idents.flatMap(({ value }) => known.get(value) ?? []))
  return found.size === 0 ? null : [...found].join(', ')
}

/** Each line has a CCI, a blank and its control. */
function readTable(): ReadonlyMap<string, string> {
  const lines = readFileSync(TABLE, 'utf8').trim().split('\n')
  return new Map(lines.map((line) => [line.slice(0, 10), line.slice(11)]))
}
