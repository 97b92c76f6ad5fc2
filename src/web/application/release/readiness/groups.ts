import { countedNoun } from '../../parts/words/counted-noun.ts'

/** The fields of a readiness item that the page reads, named as in the API. */
export interface ReadinessItem {
  readonly code: string
  readonly blocks: boolean
  readonly message: string
  readonly link: string
  readonly rule: { readonly id: number; readonly displayed_name: string } | null
  readonly fields: readonly string[]
}

/** Items of the same code. */
export interface Group {
  readonly code: string
  readonly blocks: boolean
  readonly message: string
  readonly items: readonly ReadinessItem[]
}

/** By code, those that prevent a release first. */
export function groupItems(items: readonly ReadinessItem[]): readonly Group[] {
  const codes = [...new Set(items.map(({ code }) => code))]
  const groups = codes.map((code) => {
    const itemsOfCode = items.filter((item) => item.code === code)
    const blocks = itemsOfCode.some((item) => item.blocks)
    return { code, blocks, message: itemsOfCode[0]?.message ?? code, items: itemsOfCode }
  })
  return groups.toSorted((a, b) => Number(b.blocks) - Number(a.blocks))
}

/** Words for one and for several rules, by code; other obstacles have only their message. */
const COUNTED: Readonly<Record<string, readonly [singular: string, plural: string]>> = {
  rule_unlocked: ['rule is not locked', 'rules are not locked'],
  rule_undetermined: ['requirement has no status yet', 'requirements have no status yet'],
  status_missing: ['rule has no status yet', 'rules have no status yet'],
  changes_requested: [
    'rule waits for changes that a reviewer asked for',
    'rules wait for changes that a reviewer asked for',
  ],
  under_review: ['rule is under review', 'rules are under review'],
}

/** The obstacle with the number of its rules. */
export function sentenceOf({ code, message, items }: Group): string {
  const { [code]: words } = COUNTED
  if (words !== undefined) return countedNoun(items.length, ...words)
  const isOfRules = items.some(({ rule }) => rule !== null)
  return isOfRules ? `${countedNoun(items.length, 'rule')}: ${message}` : message
}

/** Finds the page on which the obstacle can be resolved. */
export function placeOf(
  { code, link, rule }: ReadinessItem,
  component: string,
): { readonly path: string; readonly query?: Readonly<Record<string, string>> } {
  if (rule !== null) return { path: `/components/${component}`, query: { rule: rule.displayed_name } }
  if (code === 'comments_open') return { path: `/components/${component}/triage` }
  if (code === 'newer_srg') return { path: `/components/${component}/rebase`, query: newerIn(link) }
  return { path: `/components/${component}/settings` }
}

/** `/api/srgs/2/diff?from=1` is about the second one. */
function newerIn(link: string): Readonly<Record<string, string>> {
  const [, srg] = /^\/api\/srgs\/(\d+)\/diff\?/.exec(link) ?? []
  return srg === undefined ? {} : { srg }
}
