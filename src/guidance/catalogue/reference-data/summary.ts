import type { ReferenceField, ReferenceRecord, ReferenceText } from '../../../contracts/search-feed.ts'
import type { AttackDomain } from '../../../contracts/sources.ts'
import { withoutMarkup } from '../../../platform/plain-text.ts'
import type { ReferenceKind } from '../../../tables/reference-kinds.ts'
import { attackSchema } from './attack/items.ts'
import { cweSchema } from './cwe/items.ts'
import { cciSchema, controlSchema, isDeprecated, type Line } from './items.ts'

interface NamedItem {
  readonly id: string
  readonly name: string
}

/** An item of any list in one shape, for look-ups and the search. */
export interface ItemSummary extends Omit<ReferenceRecord, 'kind' | 'tactics'> {
  /** A mitigation of ATT&CK, a category and a view of CWE are resources. */
  readonly kind: ReferenceRecord['kind'] | 'tactic' | 'resource'
  readonly tactics: readonly NamedItem[]
  readonly successors: readonly NamedItem[]
}

export function summaryOf(kind: ReferenceKind, document: unknown): ItemSummary {
  return READERS[kind](document)
}

const READERS: Readonly<Record<ReferenceKind, (document: unknown) => ItemSummary>> = {
  cci_list: summaryOfCci,
  sp800_53: summaryOfControl,
  attack: summaryOfAttack,
  cwe: summaryOfWeakness,
}

const EMPTY_SUMMARY = { synonyms: [], tactics: [], domain: null, successors: [] }

function summaryOfCci(document: unknown): ItemSummary {
  const cci = cciSchema.parse(document)
  const { id, definition } = cci
  return {
    ...EMPTY_SUMMARY,
    kind: 'cci',
    id,
    label: id,
    deprecated: isDeprecated(cci),
    texts: textsOf('definition', [definition]),
    path: `/api/catalogue/ccis/${id}.json`,
  }
}

function summaryOfControl(document: unknown): ItemSummary {
  const { id, title, withdrawn, statement, guidance } = controlSchema.parse(document)
  const joined = (lines: readonly Line[]): string => lines.map(({ text }) => text).join(' ')
  return {
    ...EMPTY_SUMMARY,
    kind: 'control',
    // As the ontology writes it.
    id: id.replaceAll(' ', ''),
    label: title,
    deprecated: withdrawn,
    texts: textsOf('definition', [joined(statement), joined(guidance)]),
    path: `/api/catalogue/controls/${encodeURIComponent(id.replaceAll(' ', ''))}.json`,
  }
}

const DOMAINS: Readonly<Record<string, AttackDomain>> = {
  Enterprise: 'enterprise-attack',
  Mobile: 'mobile-attack',
  ICS: 'ics-attack',
}

const ATTACK_KINDS = { technique: 'offensive-technique', tactic: 'tactic', mitigation: 'resource' } as const

function summaryOfAttack(document: unknown): ItemSummary {
  const item = attackSchema.parse(document)
  const { id, type, name, description, successor } = item
  const examples = type === 'technique' ? item.procedure_examples.map(({ text }) => text) : []
  const tactics = type === 'technique' ? item.tactics : []
  return {
    kind: ATTACK_KINDS[type],
    id,
    label: name,
    synonyms: [],
    tactics: tactics.flatMap((tactic) => (tactic.id === null ? [] : [{ id: tactic.id, name: tactic.name }])),
    domain: DOMAINS[item.domain] ?? null,
    deprecated: item.revoked || item.deprecated,
    successors: successor === null ? [] : [successor],
    texts: [...textsOf('definition', [description]), ...textsOf('procedure', examples)],
    path: `/api/catalogue/attack/${id}.json`,
  }
}

function summaryOfWeakness(document: unknown): ItemSummary {
  const item = cweSchema.parse(document)
  const { id, type, name, deprecated, description, extended_description, alternate_terms: terms } = item
  const observed = item.observed_examples.map((example) => `${example.reference}: ${example.description ?? ''}`)
  return {
    ...EMPTY_SUMMARY,
    kind: type === 'weakness' ? 'weakness' : 'resource',
    id,
    label: name,
    synonyms: terms.map(({ term }) => term),
    deprecated,
    successors: item.successors.map((successor) => ({ id: successor.id, name: successor.name ?? successor.id })),
    texts: [...textsOf('definition', [description, extended_description]), ...textsOf('observed', observed)],
    path: `/api/catalogue/cwe/${id}.json`,
  }
}

function textsOf(field: ReferenceField, texts: readonly string[]): readonly ReferenceText[] {
  return texts.map((text) => ({ field, text: withoutMarkup(text) })).filter(({ text }) => text !== '')
}
