import type { ControlReference } from '../../../catalogue/reference/control-references.ts'

/** The CCIs of a rule, as the API answers. */
export interface RuleCcis {
  readonly source: { readonly version: string } | null
  readonly ccis: readonly ListedCci[]
  readonly unknown: readonly string[]
  readonly lost: readonly string[]
}

export interface ListedCci {
  readonly id: string
  readonly definition: string
  readonly deprecated: boolean
  readonly controls: readonly ControlReference[]
}

export interface ListedIdent {
  readonly id: string
  readonly listed: ListedCci | undefined
  /** Whether the loaded CCI list does not have it. */
  readonly isUnknown: boolean
}

/** The identifiers in the CCI field of a rule, in order. */
export function identsOf(ident: string): readonly string[] {
  return ident.split(/[,;\s]+/).filter((id) => id !== '')
}

/** The field with one more identifier. */
export function withIdent(ident: string, id: string): string {
  return [...new Set([...identsOf(ident), id])].join(', ')
}

/** The field without an identifier. */
export function withoutIdent(ident: string, id: string): string {
  return identsOf(ident)
    .filter((other) => other !== id)
    .join(', ')
}

/** The identifiers of the field, each with its entry in the CCI list. */
export function listCcis(ident: string, ruleCcis: RuleCcis, added: readonly ListedCci[]): readonly ListedIdent[] {
  const listed = new Map([...added, ...ruleCcis.ccis].map((cci) => [cci.id, cci]))
  return identsOf(ident).map((id) => ({
    id,
    listed: listed.get(id.toUpperCase()),
    isUnknown: ruleCcis.unknown.includes(id.toUpperCase()),
  }))
}

/** CCIs of the requirement that the field does not have now. */
export function missingCcis(ident: string, ruleCcis: RuleCcis): readonly string[] {
  const ownIds = identsOf(ident).map((id) => id.toUpperCase())
  return ruleCcis.lost.filter((id) => !ownIds.includes(id))
}

/** The controls of the newest revision that a CCI refers to: `CM-6 b`. */
export function controlsOf({ controls }: ListedCci): readonly { readonly control: string; readonly index: string }[] {
  const newest = Math.max(0, ...controls.map(({ revision }) => revision))
  return controls.filter(({ revision }) => revision === newest)
}
