import type { RecordText } from '../../contracts/guidance-records.ts'
import type { RecordKey } from '../../contracts/search-feed.ts'
import { append } from '../../platform/append.ts'
import { SEARCHED_COLUMNS, SEARCHED_DISCUSSION, SEARCHED_FIELDS, type SearchedName } from '../../tables/field-lists.ts'
import { findRuleTexts } from '../catalogue/benchmarks/rule-texts.ts'
import type { Reader } from '../database/transaction.ts'
import { idsOf } from './keys.ts'

/** See `SearchFeed`. Records without texts have an empty list. */
export async function findTexts(
  reader: Reader,
  keys: readonly RecordKey[],
): Promise<ReadonlyMap<string, readonly RecordText[]>> {
  const [catalogue, authored, components] = await Promise.all([
    findCatalogue(reader, idsOf(keys, 'requirement', 'rule')),
    findAuthored(reader, idsOf(keys, 'authored-rule')),
    findComponents(reader, idsOf(keys, 'component')),
  ])
  const sources = {
    requirement: catalogue,
    rule: catalogue,
    'authored-rule': authored,
    component: components,
  }
  return new Map(keys.map(({ kind, id }) => [`${kind} ${id}`, sources[kind].get(id) ?? []]))
}

type ByRecord = ReadonlyMap<number, readonly RecordText[]>

async function findCatalogue(reader: Reader, ids: readonly number[]): Promise<ByRecord> {
  if (ids.length === 0) return new Map()
  const rules = await reader
    .selectFrom('benchmark_rules')
    .select(['id', 'title', ...SEARCHED_DISCUSSION])
    .where('id', 'in', ids)
    .execute()
  const { checks, fixes } = await findRuleTexts(reader, ids)
  return new Map(
    rules.map((rule) => [rule.id, gather({ ...rule, fixtext: fixes.get(rule.id), content: checks.get(rule.id) })]),
  )
}

async function findAuthored(reader: Reader, ids: readonly number[]): Promise<ByRecord> {
  if (ids.length === 0) return new Map()
  const rules = await reader
    .selectFrom('rules')
    .select(['id', ...SEARCHED_COLUMNS])
    .where('id', 'in', ids)
    .execute()
  const checks = await reader
    .selectFrom('rule_checks')
    .select(['rule_id', 'content'])
    .where('rule_id', 'in', ids)
    .orderBy('id')
    .execute()
  const contents = new Map<number, (string | null)[]>()
  for (const { rule_id, content } of checks) append(contents, rule_id, content)
  return new Map(rules.map((rule) => [rule.id, gather({ ...rule, content: contents.get(rule.id) })]))
}

type SearchedTexts = Readonly<Partial<Record<SearchedName, string | null | readonly (string | null)[] | undefined>>>

/** The texts of a rule by the names of their fields, in the order of the table. */
function gather(texts: SearchedTexts): readonly RecordText[] {
  return SEARCHED_FIELDS.flatMap(({ name }) =>
    [texts[name] ?? []]
      .flat()
      .flatMap((text) => (text === null || text === '' ? [] : [{ field: name === 'content' ? 'check' : name, text }])),
  )
}

async function findComponents(reader: Reader, ids: readonly number[]): Promise<ByRecord> {
  if (ids.length === 0) return new Map()
  const rows = await reader
    .selectFrom('components')
    .select(['id', 'name', 'title', 'description'])
    .where('id', 'in', ids)
    .execute()
  const texts = new Map<number, RecordText[]>()
  for (const { id, ...fields } of rows) add(texts, id, fields)
  return texts
}

function add(texts: Map<number, RecordText[]>, id: number, fields: Readonly<Record<string, string | null>>): void {
  for (const [field, text] of Object.entries(fields))
    if (text !== null && text !== '') append(texts, id, { field, text })
}
