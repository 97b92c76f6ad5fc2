import { expressionBuilder, sql, type Expression, type RawBuilder } from 'kysely'
import type { GuidanceMatch, GuidanceQuestion } from '../../contracts/sources.ts'
import type { Caller } from '../../http/caller.ts'
import { readableBy } from '../authoring/access/visible.ts'
import type { Database } from '../database/database.ts'
import { displayedName } from '../database/rule-names.ts'
import type { Schema } from '../database/schema/schema.ts'
import { entriesWith, firstOf, isIn } from './expression.ts'

/** Live rules of components that the caller may read, in order of their numbers. One query. */
export async function findAuthoredRules(
  database: Database,
  caller: Caller,
  question: GuidanceQuestion,
): Promise<readonly GuidanceMatch[]> {
  const numbers = authoredNumbers(database.dialect, caller, question)
  if (numbers === null) return []
  const rows = await database.read
    .selectFrom('rules as rule')
    .innerJoin('components', 'components.id', 'rule.component_id')
    .select(['rule.id', 'rule.number', 'rule.version', 'rule.minted_id', 'rule.vuln_id'])
    .select(['rule.title', 'rule.rule_severity as severity', 'rule.status', 'rule.ident'])
    .select(['components.id as component_id', 'components.name', 'components.prefix'])
    .where('rule.id', 'in', numbers)
    .orderBy('rule.id')
    .execute()
  return rows.map((row) => ({
    ...{ kind: 'authored-rule', recordId: row.id, iri: null, path: `/rules/${row.id}` },
    ...{ title: row.title, severity: row.severity, status: row.status, benchmark: null },
    names: [
      displayedName(row.prefix, row.number),
      ...[row.vuln_id, row.minted_id, row.version].filter((name) => name !== null),
    ],
    component: { id: row.component_id, name: row.name, prefix: row.prefix },
    ccis: row.ident?.split(', ').filter((value) => value.startsWith('CCI-')) ?? [],
  }))
}

/** Components that the caller may read, in order of their numbers. One query. */
export async function findComponents(
  database: Database,
  caller: Caller,
  question: GuidanceQuestion,
): Promise<readonly GuidanceMatch[]> {
  const entries = entriesWith(database.dialect, { ...question, kind: 'component' })
  if (entries === null) return []
  const rows = await database.read
    .selectFrom('components')
    .select(['id', 'name', 'prefix', 'title'])
    .where('id', 'in', sql<number>`(select id from (${entries}) as entry)`)
    .where((is) => readableBy(is, caller))
    .orderBy('id')
    .limit(question.limit)
    .execute()
  return rows.map(({ id, name, prefix }) => ({
    ...{ kind: 'component', recordId: id, iri: null, path: `/components/${id}` },
    ...{ title: name, names: [prefix, name], severity: null, status: null, benchmark: null },
    ...{ component: { id, name, prefix }, ccis: [] },
  }))
}

function authoredNumbers(
  dialect: Database['dialect'],
  caller: Caller,
  question: GuidanceQuestion,
): RawBuilder<number> | null {
  const { severity, componentId, limit } = question
  const severe = severity === null ? sql`` : sql`and rule.rule_severity = ${severity}`
  const within = componentId === undefined ? sql`` : sql`and rule.component_id = ${componentId}`
  const filter = sql`rule.deleted_at is null
    and rule.component_id ${isIn(dialect, readable(caller))} ${severe} ${within}`
  return firstOf(dialect, { ...question, kind: 'rule' }, { table: 'rules', filter, limit })
}

/** Numbers of the components that the caller may read. */
function readable(caller: Caller): Expression<unknown> {
  return expressionBuilder<Schema>()
    .selectFrom('components')
    .select('components.id')
    .where((is) => readableBy(is, caller))
}
