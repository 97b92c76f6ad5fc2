import type { ReferenceField, ReferenceRecord, ReferenceText } from '../../contracts/search-feed.ts'
import type { AttackDomain } from '../../contracts/sources.ts'
import { withoutMarkup } from '../../platform/plain-text.ts'
import type { ReferenceKind } from '../../tables/reference-kinds.ts'
import { attackSchema } from '../catalogue/reference-data/attack/items.ts'
import { cweSchema } from '../catalogue/reference-data/cwe/items.ts'
import { cciSchema, controlSchema, isDeprecated } from '../catalogue/reference-data/items.ts'
import { eachDocument, newestSources } from '../catalogue/reference-data/reader.ts'
import type { Reader } from '../database/transaction.ts'

/** See `SearchFeed.referenceVersion`. */
export async function findReferenceVersion(reader: Reader): Promise<string> {
  const sources = await newestSources(reader)
  return sources.map(({ kind, digest }) => `${kind} ${digest}`).join('\n')
}

/** See `SearchFeed.referenceRecords`. */
export async function* readReferenceRecords(reader: Reader): AsyncGenerator<ReferenceRecord> {
  for (const source of await newestSources(reader)) {
    for await (const document of eachDocument(reader, source)) {
      const record = READERS[source.kind](document)
      if (record !== null) yield record
    }
  }
}

/** Null for an item that is not searched, such as a tactic. */
type ItemReader = (document: unknown) => ReferenceRecord | null

const READERS: Readonly<Record<ReferenceKind, ItemReader>> = {
  cci_list: readCci,
  sp800_53: readControl,
  attack: readTechnique,
  cwe: readWeakness,
}

const NOTHING = { synonyms: [], tactics: [], domain: null }

function readCci(document: unknown): ReferenceRecord {
  const cci = cciSchema.parse(document)
  const { id, definition } = cci
  return {
    ...NOTHING,
    kind: 'cci',
    id,
    label: id,
    deprecated: isDeprecated(cci),
    texts: textsOf('definition', [definition]),
    path: `/api/catalogue/ccis/${id}.json`,
  }
}

function readControl(document: unknown): ReferenceRecord {
  const { id, title, withdrawn, statement, guidance } = controlSchema.parse(document)
  const lines = (outline: typeof statement): string => outline.map(({ text }) => text).join(' ')
  const name = id.replaceAll(' ', '')
  return {
    ...NOTHING,
    kind: 'control',
    id: name,
    label: title,
    deprecated: withdrawn,
    texts: textsOf('definition', [lines(statement), lines(guidance)]),
    path: `/api/catalogue/controls/${encodeURIComponent(name)}.json`,
  }
}

const DOMAINS: Readonly<Record<string, AttackDomain>> = {
  Enterprise: 'enterprise-attack',
  Mobile: 'mobile-attack',
  ICS: 'ics-attack',
}

function readTechnique(document: unknown): ReferenceRecord | null {
  const item = attackSchema.parse(document)
  if (item.type !== 'technique' || item.revoked || item.deprecated) return null
  const { id, name, description, procedure_examples: examples } = item
  return {
    kind: 'offensive-technique',
    id,
    label: name,
    synonyms: [],
    tactics: item.tactics.flatMap((tactic) => tactic.id ?? []),
    domain: DOMAINS[item.domain] ?? null,
    deprecated: false,
    texts: [
      ...textsOf('definition', [description]),
      ...textsOf(
        'procedure',
        examples.map(({ text }) => text),
      ),
    ],
    path: `/api/catalogue/attack/${id}.json`,
  }
}

function readWeakness(document: unknown): ReferenceRecord | null {
  const item = cweSchema.parse(document)
  if (item.type !== 'weakness' || item.deprecated) return null
  const { id, name, description, extended_description: more, alternate_terms: terms } = item
  const observed = item.observed_examples.map((example) => `${example.reference}: ${example.description ?? ''}`)
  return {
    ...NOTHING,
    kind: 'weakness',
    id,
    label: name,
    synonyms: terms.map(({ term }) => term),
    deprecated: false,
    texts: [...textsOf('definition', [description, more]), ...textsOf('observed', observed)],
    path: `/api/catalogue/cwe/${id}.json`,
  }
}

function textsOf(field: ReferenceField, texts: readonly string[]): readonly ReferenceText[] {
  return texts.map((text) => ({ field, text: withoutMarkup(text) })).filter(({ text }) => text !== '')
}
