import type { components } from '#api-types'
import { namesOf, SEARCHED_FIELDS } from '../../../../tables/field-lists.ts'

type Outcome = components['schemas']['ReplaceInRulesAnswer']

/** A rule of a preview, with the texts that would change. */
export type HitRule = Outcome['rules'][number]
type HitText = HitRule['fields'][number]
export type Hit = HitText['hits'][number]

/** The fields that can be searched. */
export const SEARCHED = namesOf(SEARCHED_FIELDS).map((name) => (name === 'content' ? ('check_content' as const) : name))

export type SearchedField = (typeof SEARCHED)[number]

/** A match of a preview, with the text and the rule that it is in. */
export interface PlacedHit {
  readonly rule: HitRule
  readonly text: HitText
  readonly hit: Hit
}

export function placedHits(rules: readonly HitRule[]): readonly PlacedHit[] {
  return rules.flatMap((rule) => rule.fields.flatMap((text) => text.hits.map((hit) => ({ rule, text, hit }))))
}

function textKey({ rule, text }: Pick<PlacedHit, 'rule' | 'text'>): string {
  return `${rule.id} ${text.field} ${text.check_id}`
}

/** Names a match among those of a preview. */
export function keyOf(placed: PlacedHit): string {
  return `${textKey(placed)} ${placed.hit.at}`
}

type ChosenMatches = NonNullable<components['schemas']['ReplaceInRulesRequest']['only']>

/** Selects matches by rule and text, as a replacement expects them. */
export function onlyOf(hits: readonly PlacedHit[]): ChosenMatches {
  const rules = new Map<number, readonly PlacedHit[]>()
  for (const placed of hits) rules.set(placed.rule.id, [...(rules.get(placed.rule.id) ?? []), placed])
  return [...rules].map(([rule_id, own]) => {
    const texts = new Map<string, readonly PlacedHit[]>()
    for (const placed of own) texts.set(textKey(placed), [...(texts.get(textKey(placed)) ?? []), placed])
    return {
      rule_id,
      lock_version: own[0]?.rule.lock_version ?? 0,
      texts: [...texts.values()].flatMap((same) => {
        const [first] = same
        if (first === undefined) return []
        const { field, check_id } = first.text
        return [{ field, check_id, at: same.map(({ hit }) => hit.at) }]
      }),
    }
  })
}

/** The keys of excluded matches after one match has been replaced: later ones of its text have moved. */
export function movedKeys(excluded: ReadonlySet<string>, replaced: PlacedHit): ReadonlySet<string> {
  const text = `${textKey(replaced)} `
  const moved = replaced.hit.after.length - replaced.hit.before.length
  return new Set(
    [...excluded].map((key) => {
      const at = Number(key.slice(text.length))
      return key.startsWith(text) && at > replaced.hit.at ? `${text}${at + moved}` : key
    }),
  )
}
