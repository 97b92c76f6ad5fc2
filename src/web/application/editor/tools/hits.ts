import type { components } from '#api-types'

/** A rule of a preview, with the texts that would change. */
export type HitRule = components['schemas']['ReplaceInRulesAnswer']['rules'][number]
type HitText = HitRule['fields'][number]
export type Hit = HitText['hits'][number]

/** A match of a preview, with the text and the rule that it is in. */
export interface HitInRule {
  readonly rule: HitRule
  readonly text: HitText
  readonly hit: Hit
}

export function listHits(rules: readonly HitRule[]): readonly HitInRule[] {
  return rules.flatMap((rule) => rule.fields.flatMap((text) => text.hits.map((hit) => ({ rule, text, hit }))))
}

function textKey({ rule, text }: Pick<HitInRule, 'rule' | 'text'>): string {
  return `${rule.id} ${text.field} ${text.check_id}`
}

/** Unique key of a match in a preview. */
export function keyOf(match: HitInRule): string {
  return `${textKey(match)} ${match.hit.at}`
}

type ChosenMatches = NonNullable<components['schemas']['ReplaceInRulesRequest']['only']>

/** Selects matches by rule and text, as a replacement expects them. */
export function selectHits(hits: readonly HitInRule[]): ChosenMatches {
  const rules = new Map<number, readonly HitInRule[]>()
  for (const match of hits) rules.set(match.rule.id, [...(rules.get(match.rule.id) ?? []), match])
  return [...rules].map(([rule_id, ofRule]) => {
    const texts = new Map<string, readonly HitInRule[]>()
    for (const match of ofRule) texts.set(textKey(match), [...(texts.get(textKey(match)) ?? []), match])
    return {
      rule_id,
      lock_version: ofRule[0]?.rule.lock_version ?? 0,
      texts: [...texts.values()].flatMap((ofText) => {
        const [first] = ofText
        if (first === undefined) return []
        const { field, check_id } = first.text
        return [{ field, check_id, at: ofText.map(({ hit }) => hit.at) }]
      }),
    }
  })
}

/** The keys of excluded matches after one match has been replaced: later ones of its text have moved. */
export function shiftKeys(excluded: ReadonlySet<string>, replaced: HitInRule): ReadonlySet<string> {
  const text = `${textKey(replaced)} `
  const shift = replaced.hit.after.length - replaced.hit.before.length
  return new Set(
    [...excluded].map((key) => {
      const position = Number(key.slice(text.length))
      return key.startsWith(text) && position > replaced.hit.at ? `${text}${position + shift}` : key
    }),
  )
}
