import { sql, type Insertable, type RawBuilder, type Selectable, type Updateable } from 'kysely' // oxlint-disable-line no-restricted-imports -- it writes rows of guidance
import { z } from 'zod'
import type { Database } from '../../src/guidance/database/database.ts'
import type { Schema } from '../../src/guidance/database/schema/schema.ts'
import type { Writer } from '../../src/guidance/database/transaction.ts'
import { tokenSchema } from '../../src/guidance/identity/tokens/schemas.ts'
import { clientOf, PASSWORD, type Answer, type Client, type GuidanceUnderTest, type SessionClient } from './guidance.ts'

/** All tables: the type checker requires each name once. */
const TABLES: Record<keyof Schema, true> = {
  users: true,
  identities: true,
  found_users: true,
  sessions: true,
  second_factors: true,
  recovery_codes: true,
  reference_sources: true,
  reference_items: true,
  reference_controls: true,
  personal_access_tokens: true,
  one_time_links: true,
  consents: true,
  projects: true,
  memberships: true,
  project_access_requests: true,
  audits: true,
  benchmarks: true,
  benchmark_files: true,
  benchmark_rules: true,
  benchmark_checks: true,
  benchmark_fixes: true,
  benchmark_idents: true,
  benchmark_references: true,
  benchmark_aliases: true,
  imports: true,
  components: true,
  component_srgs: true,
  component_memberships: true,
  additional_questions: true,
  rules: true,
  rule_checks: true,
  rule_descriptions: true,
  additional_answers: true,
  rule_satisfactions: true,
  attachments: true,
  attachment_parts: true,
  milestones: true,
  milestone_parts: true,
  reviews: true,
  reactions: true,
  triage_response_templates: true,
  requirement_relocations: true,
  relocation_destinations: true,
  events: true,
  presences: true,
  webhooks: true,
  webhook_deliveries: true,
  search_changes: true,
  merges: true,
  merge_fields: true,
}

/** All contents of the database as text, to check that secrets are not in it. */
export async function dumpDatabase({ service }: GuidanceUnderTest): Promise<string> {
  const { read } = service.guidance.database
  const dumped: string[] = []
  for (const table of tableNames()) {
    const rows = await read.selectFrom(table).selectAll().execute()
    dumped.push(JSON.stringify({ [table]: rows }))
  }
  return dumped.join('\n')
}

export function tableNames(): (keyof Schema)[] {
  const isTable = (name: string): name is keyof Schema => name in TABLES
  return Object.keys(TABLES).filter(isTable)
}

/** Counts the rows of each of these tables. */
export async function countRows(
  { service }: GuidanceUnderTest,
  tables: readonly (keyof Schema)[],
): Promise<readonly number[]> {
  const counts: number[] = []
  for (const table of tables) {
    const { rows } = await service.guidance.database.read
      .selectFrom(table)
      .select((is) => is.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    counts.push(rows)
  }
  return counts
}

/** Changes rows without the service, because tests cannot wait for times to pass. */
export function alter<T>({ service }: GuidanceUnderTest, work: (writer: Writer) => Promise<T>): Promise<T> {
  return service.guidance.database.transact(work)
}

/** Sets columns without the service, in the rows with these values of other columns; without values, in all rows. */
export async function setRows<T extends keyof Schema>(
  { service }: GuidanceUnderTest,
  table: T,
  values: Updateable<Schema[T]>,
  where: Partial<Selectable<Schema[T]>> = {},
): Promise<void> {
  await service.guidance.database.transact(async (writer) => {
    await sql`update ${sql.table(table)} set ${sql.join(equal(values))} where ${matching(where)}`.execute(writer)
  })
}

/** Adds a row without the service. Returns its id, if the table has ids. */
export async function addRow<T extends keyof Schema>(
  { service }: GuidanceUnderTest,
  table: T,
  row: Insertable<Schema[T]>,
): Promise<number> {
  const columns = Object.keys(row).map((column) => sql.ref(column))
  const added = sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})`
  const { rows } = await service.guidance.database.transact((writer) => sql`${added} returning *`.execute(writer))
  return numbered.parse(rows)[0]?.id ?? 0
}

const numbered = z.array(z.looseObject({ id: z.int().optional() }))

/** The rows with these values, in the order of their ids. */
export async function rowsOf<T extends keyof Schema>(
  { service }: GuidanceUnderTest,
  table: T,
  where: Partial<Selectable<Schema[T]>> = {},
): Promise<readonly Selectable<Schema[T]>[]> {
  const query = sql<Selectable<Schema[T]>>`select * from ${sql.table(table)} where ${matching(where)} order by 1`
  return (await query.execute(service.guidance.database.read)).rows
}

/** The only row with these values. */
export async function rowOf<T extends keyof Schema>(
  guidance: GuidanceUnderTest,
  table: T,
  where: Partial<Selectable<Schema[T]>>,
): Promise<Selectable<Schema[T]>> {
  const [row, ...others] = await rowsOf(guidance, table, where)
  if (row === undefined || others.length > 0) throw new Error(`${table} has ${others.length} rows too many, or none`)
  return row
}

function equal(columns: object): readonly RawBuilder<unknown>[] {
  return Object.entries<unknown>({ ...columns }).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
}

function matching(columns: object): RawBuilder<unknown> {
  const conditions = Object.entries<unknown>({ ...columns }).map(([column, value]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
  )
  return sql.join([sql`1 = 1`, ...conditions], sql` and `)
}

const changes = z.array(z.strictObject({ field: z.string(), prev_value: z.unknown(), new_value: z.unknown() }))

/** One entry of the audit trail. */
export interface Entry {
  readonly action: string
  readonly auditable_type: string
  readonly auditable_id: number
  readonly project_id: number | null
  readonly audited_name: string
  readonly actor_id: number | null
  readonly name: string
  readonly via: string
  readonly comment: string | null
  readonly changes: z.infer<typeof changes>
}

/** The audit entries that an action adds, oldest first. */
export async function entriesOf(
  { service }: GuidanceUnderTest,
  work: () => Promise<unknown>,
): Promise<readonly Entry[]> {
  const { database } = service.guidance
  const before = await newestEntry(database)
  await work()
  const rows = await database.read.selectFrom('audits').selectAll().where('id', '>', before).orderBy('id').execute()
  return rows.map((row) => ({
    action: row.action,
    auditable_type: row.auditable_type,
    auditable_id: row.auditable_id,
    project_id: row.project_id,
    audited_name: row.audited_name,
    actor_id: row.actor_id,
    name: row.name,
    via: row.via,
    comment: row.comment,
    changes: changes.parse(JSON.parse(row.changes)),
  }))
}

async function newestEntry({ read }: Database): Promise<number> {
  const newest = await read.selectFrom('audits').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return newest?.id ?? 0
}

/** A day in UTC. */
export function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

/** The time this long ago. */
export function ago(milliseconds: number): string {
  return new Date(Date.now() - milliseconds).toISOString()
}

/** The answer to a request for a token. */
export const tokenAnswer = z.object({ token: z.string(), personal_access_token: tokenSchema })

/** Requests a token with these values instead of valid ones. */
export function requestToken(session: SessionClient, values: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const good = { name: 'Script', scopes: ['read'], expires_at: dayIn(30), current_password: PASSWORD }
  return session.call('POST', '/personal_access_tokens', { body: { personal_access_token: { ...good, ...values } } })
}

export interface NewToken {
  readonly raw: string
  readonly id: number
  readonly client: Client
}

/** A new token of the person who is signed in, and a client that uses it. */
export async function makeToken(
  under: GuidanceUnderTest,
  session: SessionClient,
  values: Readonly<Record<string, unknown>> = {},
): Promise<NewToken> {
  const { body } = await requestToken(session, values)
  const { token: raw, personal_access_token } = tokenAnswer.parse(body)
  return { raw, id: personal_access_token.id, client: clientOf(under.service, { Authorization: `Token ${raw}` }) }
}

/** The sentences of a refusal of values. */
export function messagesOf({ body }: Answer): readonly string[] {
  return refusedValues.parse(body).errors.map(({ message }) => message)
}

const refusedValues = z.object({ errors: z.array(z.object({ message: z.string() })) })
