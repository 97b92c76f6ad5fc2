import { sql, type RawBuilder } from 'kysely'
import { displayedName } from '../rule-names.ts'
import type { StaleKind } from '../schema/words.ts'
import type { Reader } from '../transaction.ts'
import type { IndexedTexts } from './entry.ts'
import { MAX_CHARACTERS, requirementNames, SEPARATOR, textsOf } from './rule-texts.ts'

export interface RecordTexts extends IndexedTexts {
  readonly id: number
  /** Only for rules of the catalogue. */
  readonly benchmarkId?: number
}

/** The texts of the records with these numbers, as far as they exist. One query. */
export const findTexts: Readonly<
  Record<StaleKind, (reader: Reader, ids: readonly number[]) => Promise<readonly RecordTexts[]>>
> = { benchmark_rule: findCatalogue, rule: findAuthored, component: findComponents }

async function findCatalogue(
  reader: Reader,
  ids: readonly number[],
): Promise<readonly RecordTexts[]> {
  const rows = await reader
    .selectFrom('benchmark_rules as rule')
    .innerJoin('benchmarks', 'benchmarks.id', 'rule.benchmark_id')
    .select(['rule.id', 'rule.benchmark_id', 'rule.rule_id', 'rule.group_id', 'rule.group_title'])
    .select(['rule.version', 'benchmarks.title as context'])
    .select(shortened(sql`rule.title`).as('title'))
    .select(shortened(sql`rule.vuln_discussion`).as('discussion'))
    .select(shortened(sql`rule.mitigations`).as('mitigations'))
    .select(together('benchmark_checks', 'content').as('checks'))
    .select(together('benchmark_fixes', 'text').as('fixes'))
    .select(together('benchmark_idents', 'value').as('idents'))
    .where('rule.id', 'in', ids)
    .execute()
  return rows.map((row) => ({ id: row.id, benchmarkId: row.benchmark_id, ...textsOf(row) }))
}

async function findAuthored(
  reader: Reader,
  ids: readonly number[],
): Promise<readonly RecordTexts[]> {
  const rows = await reader
    .selectFrom('rules as rule')
    .innerJoin('components', 'components.id', 'rule.component_id')
    .select(['rule.id', 'rule.number', 'rule.version', 'rule.minted_id', 'rule.vuln_id'])
    .select(['components.prefix', 'components.name', 'components.title as context'])
    .select(['rule.legacy_ids', 'rule.ident'])
    .select(shortened(sql`rule.title`).as('title'))
    .select(shortened(sql`rule.fixtext`).as('fix'))
    .select(together('rule_checks', 'content').as('checks'))
    .select(shortened(sql`rule.vuln_discussion`).as('discussion'))
    .select(shortened(sql`rule.mitigations`).as('mitigations'))
    .select(shortened(sql`rule.vendor_comments`).as('comments'))
    .select(shortened(sql`rule.status_justification`).as('justification'))
    .select(shortened(sql`rule.artifact_description`).as('artifact'))
    .where('rule.id', 'in', ids)
    .execute()
  return rows.map((row) => ({
    ...{ id: row.id, title: row.title, context: `${row.name} ${row.context}` },
    names: [
      ...[displayedName(row.prefix, row.number), row.vuln_id, row.minted_id],
      ...requirementNames(row.version),
      ...`${row.ident ?? ''},${row.legacy_ids ?? ''}`.split(','),
    ],
    texts: [
      ...[row.fix, ...row.checks.split(SEPARATOR), row.discussion, row.mitigations],
      ...[row.comments, row.justification, row.artifact],
    ],
  }))
}

async function findComponents(
  reader: Reader,
  ids: readonly number[],
): Promise<readonly RecordTexts[]> {
  const rows = await reader
    .selectFrom('components')
    .select(['id', 'name', 'prefix', 'title', 'description', 'metadata'])
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id, name, prefix, title, description, metadata }) => ({
    ...{ id, title: name, names: [prefix, name], context: '' },
    texts: [title, description, metadata],
  }))
}

function shortened(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`substr(coalesce(${text}, ''), 1, ${sql.lit(MAX_CHARACTERS)})`
}

/** All such parts of a rule, in the order of the file. */
function together(table: string, column: string): RawBuilder<string> {
  const [from, text] = [sql.table(table), sql.ref(column)]
  return shortened(
    sql`(select string_agg(${text}, ${SEPARATOR} order by id) from ${from} where rule_id = rule.id)`,
  )
}
