import { sql, type RawBuilder } from 'kysely'
import type { FeedRecord, RecordKey } from '../../contracts/search-feed.ts'
import { SEARCHED_COLUMNS, SEARCHED_DISCUSSION } from '../../tables/field-lists.ts'
import { displayedName } from '../database/rule-names.ts'
import type { Reader } from '../database/transaction.ts'
import { idsOf } from './keys.ts'
import { groupNames, requirementNames, ruleNames } from './names.ts'

/** Limit of each text; real ones have up to 34,000 characters. */
const MAX_CHARACTERS = 60_000
/** Separates texts of a rule: a control character that no document can contain. */
const SEPARATOR = '\u001e'
/** The texts of a rule after its title and its fix. */
const OTHER_TEXTS = SEARCHED_COLUMNS.filter((name) => name !== 'title' && name !== 'fixtext')
const KINDS = { srg: 'requirement', stig: 'rule' } as const

/** See `SearchFeed`. One query for each kind of table. */
export async function findRecords(reader: Reader, keys: readonly RecordKey[]): Promise<readonly FeedRecord[]> {
  const found = await Promise.all([
    findCatalogue(reader, idsOf(keys, 'requirement', 'rule')),
    findAuthored(reader, idsOf(keys, 'authored-rule')),
    findComponents(reader, idsOf(keys, 'component')),
  ])
  return found.flat()
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

async function findComponents(reader: Reader, ids: readonly number[]): Promise<readonly FeedRecord[]> {
  if (ids.length === 0) return []
  const rows = await reader
    .selectFrom('components')
    .select(['id', 'name', 'prefix', 'title', 'description', 'metadata'])
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id, name, prefix, title, description, metadata }) => ({
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
    texts: textsOf([title, description, metadata]),
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
