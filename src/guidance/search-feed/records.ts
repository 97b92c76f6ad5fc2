import { type RawBuilder, sql } from 'kysely'
import type { FeedRecord, RecordKey, ReferenceRecord } from '../../contracts/search-feed.ts'
import { SEARCHED_COLUMNS, SEARCHED_DISCUSSION } from '../../tables/field-lists.ts'
import { eachDocument, usedSources } from '../catalogue/reference-data/reader.ts'
import { type ItemSummary, summaryOf } from '../catalogue/reference-data/summary.ts'
import { displayedName } from '../database/rule-names.ts'
import type { Reader } from '../database/transaction.ts'
import { idsOf } from './keys.ts'

/** Limit of each text; real ones have up to 34,000 characters. */
const MAX_CHARACTERS = 60_000
/** Separates texts of a rule: a control character that no document can contain. */
const SEPARATOR = '\u001e'
/** The texts of a rule after its title and its fix. */
const OTHER_TEXTS = SEARCHED_COLUMNS.filter((name) => name !== 'title' && name !== 'fixtext')
const KINDS = { srg: 'requirement', stig: 'rule' } as const

/** See `SearchFeed`. One query for each kind of table. */
export async function findRecords(reader: Reader, keys: readonly RecordKey[]): Promise<readonly FeedRecord[]> {
  const records = await Promise.all([
    findCatalogue(reader, idsOf(keys, 'requirement', 'rule')),
    findAuthored(reader, idsOf(keys, 'authored-rule')),
    findComponents(reader, idsOf(keys, 'component')),
  ])
  return records.flat()
}

async function findCatalogue(reader: Reader, ids: readonly number[]): Promise<readonly FeedRecord[]> {
  if (ids.length === 0) return []
  const rows = await reader
    .selectFrom('benchmark_rules as rule')
    .innerJoin('benchmarks', 'benchmarks.id', 'rule.benchmark_id')
    .select(['rule.id', 'rule.benchmark_id', 'rule.rule_id', 'rule.group_id', 'rule.group_title'])
    .select(['rule.version', 'rule.severity', 'benchmarks.kind', 'benchmarks.title as context'])
    .select(shortenText(sql`rule.title`).as('title'))
    .select(SEARCHED_DISCUSSION.map((name) => shortenText(sql.ref(`rule.${name}`)).as(name)))
    .select(joinColumn('benchmark_checks', 'content').as('checks'))
    .select(joinColumn('benchmark_fixes', 'text').as('fixes'))
    .select(joinColumn('benchmark_idents', 'value').as('idents'))
    .where('rule.id', 'in', ids)
    .execute()
  return rows.map((row) => ({
    kind: KINDS[row.kind],
    id: row.id,
    owner: row.benchmark_id,
    severity: row.severity,
    title: row.title,
    context: row.context,
    names: nonEmptyNames([
      ...ruleNames(row.rule_id),
      ...groupNames(row.group_id),
      ...requirementNames(row.version),
      ...(row.kind === 'srg' ? requirementNames(row.group_title) : []),
      ...identsOf(row, (ident) => !isCci(ident)),
    ]),
    cites: nonEmptyNames([...identsOf(row, isCci), ...(row.kind === 'stig' ? requirementNames(row.group_title) : [])]),
    fixes: splitTexts(row.fixes),
    checks: splitTexts(row.checks),
    texts: textsOf(SEARCHED_DISCUSSION.map((name) => row[name])),
  }))
}

async function findAuthored(reader: Reader, ids: readonly number[]): Promise<readonly FeedRecord[]> {
  if (ids.length === 0) return []
  const rows = await reader
    .selectFrom('rules as rule')
    .innerJoin('components', 'components.id', 'rule.component_id')
    .select(['rule.id', 'rule.component_id', 'rule.number', 'rule.version', 'rule.minted_id'])
    .select(['rule.vuln_id', 'rule.legacy_ids', 'rule.ident', 'rule.rule_severity as severity'])
    .select(['components.prefix', 'components.name', 'components.title as component'])
    .select(SEARCHED_COLUMNS.map((name) => shortenText(sql.ref(`rule.${name}`)).as(name)))
    .select(joinColumn('rule_checks', 'content').as('checks'))
    .where('rule.id', 'in', ids)
    .where('rule.deleted_at', 'is', null)
    .execute()
  return rows.map((row) => ({
    kind: 'authored-rule',
    id: row.id,
    owner: row.component_id,
    severity: row.severity,
    title: row.title,
    context: `${row.name} ${row.component}`,
    names: nonEmptyNames([
      displayedName(row.prefix, row.number),
      row.vuln_id,
      row.minted_id,
      ...requirementNames(row.version),
      ...(row.legacy_ids ?? '').split(','),
    ]),
    cites: nonEmptyNames((row.ident ?? '').split(',')),
    fixes: textsOf([row.fixtext]),
    checks: splitTexts(row.checks),
    texts: textsOf(OTHER_TEXTS.map((name) => row[name])),
  }))
}

/** Without metadata: everybody may find a released component, but only its members may read it. */
async function findComponents(reader: Reader, ids: readonly number[]): Promise<readonly FeedRecord[]> {
  if (ids.length === 0) return []
  const rows = await reader
    .selectFrom('components')
    .select(['id', 'name', 'prefix', 'title', 'description'])
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id, name, prefix, title, description }) => ({
    kind: 'component',
    id,
    owner: id,
    severity: null,
    title: name,
    context: '',
    names: nonEmptyNames([prefix, name]),
    cites: [],
    fixes: [],
    checks: [],
    texts: textsOf([title, description]),
  }))
}

function identsOf({ idents }: { readonly idents: string }, fits: (ident: string) => boolean): readonly string[] {
  return idents.split(SEPARATOR).filter(fits)
}

function isCci(ident: string): boolean {
  return ident.startsWith('CCI-')
}

/** The names without blanks and duplicates. */
function nonEmptyNames(names: readonly (string | null)[]): readonly string[] {
  return [...new Set(names.map((name) => name?.trim() ?? ''))].filter((name) => name !== '')
}

function textsOf(texts: readonly (string | null)[]): readonly string[] {
  return texts.filter((text) => text !== null).filter((text) => text !== '')
}

function splitTexts(texts: string): readonly string[] {
  return textsOf(texts.split(SEPARATOR))
}

function shortenText(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`substr(coalesce(${text}, ''), 1, ${sql.lit(MAX_CHARACTERS)})`
}

/** All values of a column for a rule, in the order of the file. */
function joinColumn(table: string, column: string): RawBuilder<string> {
  const [from, text] = [sql.table(table), sql.ref(column)]
  return shortenText(sql`(select string_agg(${text}, ${SEPARATOR} order by id) from ${from} where rule_id = rule.id)`)
}

/** Adds `SV-257777r925318` and `SV-257777` to `SV-257777r925318_rule`. */
function ruleNames(ruleId: string): readonly string[] {
  const bare = ruleId.replace(/_rule$/, '')
  return [ruleId, bare, bare.replace(/r\d+$/, '')]
}

/** Adds `257777` to `V-257777`. */
function groupNames(groupId: string | null): readonly string[] {
  return groupId === null ? [] : [groupId, ...(/\d{4,}$/.exec(groupId) ?? [])]
}

/** Adds `SRG-OS-000480` to `SRG-OS-000480-GPOS-00227`. Empty for a text without digits, which is not an id. */
function requirementNames(id: string | null): readonly string[] {
  if (id === null || !/\d/.test(id)) return []
  return [id, ...(/^(SRG-[A-Z]+-\d+)-[A-Z]+-\d+$/i.exec(id)?.slice(1) ?? [])]
}

/** See `SearchFeed.referenceVersion`. */
export async function findReferenceVersion(reader: Reader): Promise<string> {
  const sources = await usedSources(reader)
  return sources.map(({ kind, digest }) => `${kind} ${digest}`).join('\n')
}

/** See `SearchFeed.referenceRecords`. */
export async function* readReferenceRecords(reader: Reader): AsyncGenerator<ReferenceRecord> {
  const seenNames = new Set<string>()
  for (const source of await usedSources(reader)) {
    for await (const document of eachDocument(reader, source)) {
      const summary = summaryOf(source.kind, document)
      const name = `${source.kind} ${source.title} ${summary.id}`
      const record = seenNames.has(name) ? null : searchedRecord(summary)
      seenNames.add(name)
      if (record !== null) yield record
    }
  }
}

/** Null for items that are not searched: tactics, mitigations, and deprecated attacks and weaknesses. */
function searchedRecord(summary: ItemSummary): ReferenceRecord | null {
  const { kind, id, label, synonyms, tactics, domain, deprecated, texts, path } = summary
  if (kind === 'tactic' || kind === 'resource') return null
  const isAttack = kind === 'offensive-technique' || kind === 'weakness'
  if (isAttack && deprecated) return null
  const tacticIds = tactics.map((tactic) => tactic.id)
  return { kind, id, label, synonyms, tactics: tacticIds, domain, deprecated, texts, path }
}
