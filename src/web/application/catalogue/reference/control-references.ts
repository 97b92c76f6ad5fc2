import { countedNoun } from '../../parts/words/counted-noun.ts'

/** A place in a revision of NIST SP 800-53. */
export interface ControlReference {
  readonly revision: number
  readonly control: string
  /** Including the part of the control. */
  readonly index: string
}

/** Places by revision, the newest first. */
export function groupByRevision(
  places: readonly ControlReference[],
): readonly { readonly revision: number; readonly places: readonly ControlReference[] }[] {
  const revisions = [...new Set(places.map(({ revision }) => revision))].sort((a, b) => b - a)
  return revisions.map((revision) => ({ revision, places: places.filter((place) => place.revision === revision) }))
}

/** The control that a part belongs to: `AC-2 (7) (c)` → `AC-2 (7)`. */
export function controlOfPart(part: string): string {
  return /^[A-Z]+-\d+(?: ?\(\d+\))?/.exec(part)?.[0] ?? part
}

/** The relation of a path from a CCI or a control to a technique, with the steps between them. */
export function relationOf(path: readonly string[]): string {
  return path.slice(1, -1).join(' → ')
}

/** The number of rules of all products. */
export function ruleCountOf(benchmarks: readonly { readonly rule_count: number }[]): number {
  return benchmarks.reduce((sum, benchmark) => sum + benchmark.rule_count, 0)
}

/** `29 rules of 6 products`; SRGs count as well. */
export function rulesOfProducts(benchmarks: readonly { readonly rule_count: number }[]): string {
  if (benchmarks.length === 0) return '0'
  return `${countedNoun(ruleCountOf(benchmarks), 'rule')} of ${countedNoun(benchmarks.length, 'product')}`
}
