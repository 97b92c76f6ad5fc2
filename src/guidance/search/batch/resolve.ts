import type { NameLookup } from '../../../contracts/lookup.ts'
import type { OntologyRelease } from '../../../contracts/sources.ts'
import { problemOf } from '../../../http/answer/problem.ts'
import { Refusal } from '../../../platform/errors.ts'
import { nistControls } from '../../catalogue/benchmarks/nist-controls.ts'
import type { Iris } from '../../catalogue/linked-data/graph/iris.ts'
import { findCcis, listVersions } from '../../catalogue/reference-data/reader.ts'
import type { ItemSummary } from '../../catalogue/reference-data/summary.ts'
import type { Reader } from '../../database/transaction.ts'
import {
  type BatchItem,
  shapeCci,
  shapeItem,
  shapeOntologyHead,
  shapeOntologyRecord,
  shapeRule,
  shapeRuleHead,
} from './answer.ts'
import { findReferenceItems } from './reference-items.ts'
import { findRulesByNames, type RuleNameMatches } from './rule-names.ts'
import { findSimilarNames, type SimilarNamesParts } from './similar-names.ts'

/** Longer than any name of a real record. */
const MAX_NAME_LENGTH = 1024

export interface BatchParts extends SimilarNamesParts {
  readonly reader: Reader
  readonly iris: Iris
}

export interface BatchResolution {
  readonly ontology: OntologyRelease | null
  /** In the order of the request. */
  readonly items: readonly BatchItem[]
}

/** Looks up each text: a record of the ontology comes first, then a CCI of the list, a rule, an item of reference data. */
export async function resolve(parts: BatchParts, requested: readonly string[]): Promise<BatchResolution> {
  const texts = [...new Set(requested.map((text) => text.trim()))]
  const names = texts.filter((text) => text !== '' && text.length <= MAX_NAME_LENGTH)
  const { ontology, lookups } = await lookUp(parts, names)
  const unresolved = names.filter((name) => !lookups.has(name) && cciOf(parts.iris, name) === null)
  const rules = await findRulesByNames(parts.reader, parts.iris, unresolved)
  const items = await findReferenceItems(
    parts.reader,
    parts.iris,
    unresolved.filter((name) => !rules.has(name)),
  )
  const unknown = unresolved.filter((name) => !rules.has(name) && !items.has(name))
  const similar = await findSimilarNames(parts, unknown)
  const itemsByText = new Map(texts.map((text) => [text, itemOf(parts.iris, text, { lookups, rules, items, similar })]))
  const answers = requested.flatMap((text) => {
    const item = itemsByText.get(text.trim())
    return item === undefined ? [] : [{ ...item, asked: text }]
  })
  return { ontology, items: await withDefinitions(parts.reader, answers) }
}

interface LookupResults {
  readonly lookups: ReadonlyMap<string, NameLookup>
  readonly rules: ReadonlyMap<string, RuleNameMatches>
  readonly items: ReadonlyMap<string, ItemSummary>
  readonly similar: ReadonlyMap<string, readonly string[]>
}

function itemOf(iris: Iris, text: string, { lookups, rules, items, similar }: LookupResults): BatchItem {
  const lookup = lookups.get(text)
  if (lookup !== undefined) {
    const { record, others: otherRecords } = lookup
    const control = record.kind === 'cci' ? (nistControls().get(record.id ?? '') ?? null) : null
    return answerItem(text, shapeOntologyRecord(record, control), otherRecords.map(shapeOntologyHead))
  }
  const cci = cciOf(iris, text)
  if (cci !== null) return answerItem(text, shapeCci(iris.cci(cci), cci, nistControls().get(cci) ?? ''), [])
  const [rule, ...others] = rules.get(text) ?? []
  if (rule !== undefined) return answerItem(text, shapeRule(rule), others.map(shapeRuleHead))
  const item = items.get(text)
  return item === undefined ? unknownItem(text, similar.get(text)) : answerItem(text, shapeItem(iris, item), [])
}

function unknownItem(text: string, similar: readonly string[] = []): BatchItem {
  return { asked: text, record: null, also: [], problem: problemOf(refuse(text, similar)) }
}

function answerItem(text: string, record: BatchItem['record'], also: BatchItem['also']): BatchItem {
  return { asked: text, record, also, problem: null }
}

function refuse(text: string, similar: readonly string[]): Refusal {
  if (text === '') return new Refusal('parameter_missing', 'An identifier is blank.')
  if (text.length > MAX_NAME_LENGTH)
    return new Refusal(
      'identifier_too_long',
      `The identifier has ${text.length} characters; at most ${MAX_NAME_LENGTH} are looked up.`,
    )
  const hint = similar[0] === undefined ? '' : ` Did you mean ${similar[0]}?`
  const members = similar.length === 0 ? {} : { did_you_mean: similar }
  return new Refusal('subject_not_found', `No record is called "${text}".${hint}`, members)
}

interface OntologyResult {
  readonly ontology: OntologyRelease | null
  readonly lookups: ReadonlyMap<string, NameLookup>
}

/** Without an active release, only rules and CCIs are found. */
async function lookUp({ ontology, iris }: BatchParts, names: readonly string[]): Promise<OntologyResult> {
  if (ontology === null || (await ontology.opened()) === null) return { ontology: null, lookups: new Map() }
  const spelt = names.map((name) => cciOf(iris, name) ?? name)
  const { version, digest, found } = await ontology.lookUp(spelt)
  const pairs = names.flatMap((name, index) => {
    const record = found[index] ?? null
    return record === null ? [] : [[name, record] as const]
  })
  return { ontology: { version, digest }, lookups: new Map(pairs) }
}

/** The CCI of the list that a text names: `CCI-000015`, `cci 15`, or its IRI. */
function cciOf(iris: Iris, text: string): string | null {
  const before = iris.cci('')
  const name = text.startsWith(before) ? text.slice(before.length) : text
  const digits = /^cci[-\s]?(\d{1,6})$/i.exec(name)?.[1]
  const id = `CCI-${digits?.padStart(6, '0') ?? ''}`
  return nistControls().has(id) ? id : null
}

/** Gives CCIs without a text in the ontology the definition of DISA's list, if it is loaded. */
async function withDefinitions(reader: Reader, items: readonly BatchItem[]): Promise<readonly BatchItem[]> {
  const missing = new Set(items.flatMap(({ record }) => (isCciWithoutText(record) ? [record.id] : [])))
  if (missing.size === 0) return items
  const [source] = await listVersions(reader, 'cci_list')
  if (source === undefined) return items
  const ccis = await findCcis(reader, source, [...missing])
  return items.map((item) => {
    const text = isCciWithoutText(item.record) ? ccis.get(item.record.id)?.definition : undefined
    return item.record === null || text === undefined ? item : { ...item, record: { ...item.record, text } }
  })
}

function isCciWithoutText(
  record: BatchItem['record'],
): record is NonNullable<BatchItem['record']> & { readonly id: string } {
  return record?.kind === 'cci' && record.id !== null && record.text === ''
}
