import { readFileSync } from 'node:fs'
import type { Rule } from '../xccdf/benchmark.ts'

const TABLE = new URL('../../../../data/controls/cci-nist.txt', import.meta.url)

const NAMES = new URL('../../../../data/controls/nist-names.txt', import.meta.url)

let controls: ReadonlyMap<string, string> | null = null

/** The NIST SP 800-53 control of each CCI, such as `AC-2 (1)`. */
export function nistControls(): ReadonlyMap<string, string> {
  controls ??= readTable(TABLE)
  return controls
}

let names: ReadonlyMap<string, string> | null = null

/** Returns NIST's names of controls: `AC-2` is Account Management. Parts and enhancements have none. */
export function nistControlNames(): ReadonlyMap<string, string> {
  names ??= readTable(NAMES)
  return names
}

/** NIST SP 800-53 controls of the rule's CCIs: `AC-2 (1), CM-6 b`; null where none is known. */
export function nistControlsOf({ idents }: Pick<Rule, 'idents'>): string | null {
  const controlsByCci = nistControls()
  const controls = new Set(idents.flatMap(({ value }) => controlsByCci.get(value) ?? []))
  return controls.size === 0 ? null : [...controls].join(', ')
}

/** Each line has an id, a blank, and the value. */
function readTable(file: URL): ReadonlyMap<string, string> {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return new Map(lines.map((line) => [/^\S*/.exec(line)?.[0] ?? '', line.replace(/^\S* /, '')]))
}
