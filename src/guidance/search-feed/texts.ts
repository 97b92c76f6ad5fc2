import type { RecordKey } from '../../contracts/search-feed.ts'
import type { RecordText } from '../../contracts/sources.ts'
import { append } from '../../platform/append.ts'
import { findRuleTexts } from '../catalogue/benchmarks/rule-texts.ts'
import type { Reader } from '../database/transaction.ts'
import { idsOf } from './keys.ts'

/** See `SearchFeed`. Without any texts where there are none. */
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
    .select(['id', 'title', 'vuln_discussion', 'mitigations'])
    .where('id', 'in', ids)
    .execute()
  const { checks, fixes } = await findRuleTexts(reader, ids)
  const found = new Map<number, RecordText[]>()
  for (const { id, title, vuln_discussion, mitigations } of rules) {
    add(found, id, { title })
    for (const fixtext of fixes.get(id) ?? []) add(found, id, { fixtext })
    add(found, id, { vuln_discussion })
    for (const check of checks.get(id) ?? []) add(found, id, { check })
    add(found, id, { mitigations })
  }
  return found
}

async function findAuthored(reader: Reader, ids: readonly number[]): Promise<ByRecord> {
  if (ids.length === 0) return new Map()
  const rules = await reader
    .selectFrom('rules')
    .select(['id', 'title', 'fixtext', 'vuln_discussion', 'mitigations', 'vendor_comments'])
    .select(['status_justification', 'artifact_description'])
    .where('id', 'in', ids)
    .execute()
  const checks = await reader
    .selectFrom('rule_checks')
    .select(['rule_id', 'content'])
    .where('rule_id', 'in', ids)
    .orderBy('id')
    .execute()
  const found = new Map<number, RecordText[]>()
  for (const { id, title, fixtext, vuln_discussion } of rules) add(found, id, { title, fixtext, vuln_discussion })
  for (const { rule_id, content } of checks) add(found, rule_id, { check: content })
  for (const { id, mitigations, vendor_comments, ...rule } of rules) {
    const { status_justification, artifact_description } = rule
    add(found, id, { mitigations, vendor_comments, status_justification, artifact_description })
  }
  return found
}

async function findComponents(reader: Reader, ids: readonly number[]): Promise<ByRecord> {
  if (ids.length === 0) return new Map()
  const rows = await reader
    .selectFrom('components')
    .select(['id', 'name', 'title', 'description'])
    .where('id', 'in', ids)
    .execute()
  const found = new Map<number, RecordText[]>()
  for (const { id, ...fields } of rows) add(found, id, fields)
  return found
}

function add(found: Map<number, RecordText[]>, id: number, fields: Readonly<Record<string, string | null>>): void {
  for (const [field, text] of Object.entries(fields))
    if (text !== null && text !== '') append(found, id, { field, text })
}
