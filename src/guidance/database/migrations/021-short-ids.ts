import { sql, type QueryExecutorProvider } from 'kysely'

type Database = QueryExecutorProvider

const PREFIX = 'xccdf_mil.disa.stig_'

/**
 * Gives benchmarks read from XCCDF 1.2 the ids of XCCDF 1.1, see `shortId`. A release with records under both ids keeps
 * both, because components may have been made from either; an alias puts them into one line. The words of changed rules
 * are computed again at the next start.
 */
export async function shortIds(db: Database): Promise<void> {
  await shortenParts(db)
  await shortenAliases(db)
  await shortenBenchmarks(db)
}

async function shortenParts(db: Database): Promise<void> {
  const [rule, group] = [`${PREFIX}rule_`, `${PREFIX}group_`]
  await sql`
    update benchmark_rules set rule_id = substr(rule_id, ${sql.lit(rule.length + 1)})
    where substr(rule_id, 1, ${sql.lit(rule.length)}) = ${rule}
      and length(rule_id) > ${sql.lit(rule.length)}
      and not exists (
        select 1 from benchmark_rules as other
        where other.benchmark_id = benchmark_rules.benchmark_id
          and other.rule_id = substr(benchmark_rules.rule_id, ${sql.lit(rule.length + 1)}))`.execute(db)
  await sql`
    update benchmark_rules set group_id = substr(group_id, ${sql.lit(group.length + 1)})
    where substr(group_id, 1, ${sql.lit(group.length)}) = ${group}
      and length(group_id) > ${sql.lit(group.length)}`.execute(db)
  await sql`
    update rules set vuln_id = substr(vuln_id, ${sql.lit(group.length + 1)})
    where substr(vuln_id, 1, ${sql.lit(group.length)}) = ${group}
      and length(vuln_id) > ${sql.lit(group.length)}`.execute(db)
}

/** Moves aliases of the long id to the short one. The target of an alias is never an alias itself. */
async function shortenAliases(db: Database): Promise<void> {
  const aliases = await findAliases(db)
  const targetOf = (id: string): string => aliases.get(shortened(id)) ?? shortened(id)
  for (const [alias, target] of aliases) {
    const targetId = targetOf(target)
    if (targetId !== target)
      await sql`update benchmark_aliases set benchmark_id = ${targetId}
        where alias = ${alias}`.execute(db)
    const short = shortened(alias)
    if (short !== alias && short !== targetId) await addAlias(db, short, targetId)
  }
}

async function shortenBenchmarks(db: Database): Promise<void> {
  const { rows } = await sql<{ id: number; benchmark_id: string; version: string }>`
    select id, benchmark_id, version from benchmarks order by id`.execute(db)
  const takenKeys = new Set(rows.map(({ benchmark_id, version }) => `${benchmark_id} ${version}`))
  for (const { id, benchmark_id, version } of rows) {
    const short = shortened(benchmark_id)
    if (short === benchmark_id) continue
    if (takenKeys.has(`${short} ${version}`)) {
      await addAlias(db, benchmark_id, (await findAliases(db)).get(short) ?? short)
      continue
    }
    takenKeys.add(`${short} ${version}`)
    await sql`update benchmarks set benchmark_id = ${short}, name = ${nameOf(short, version)},
      core = ${CORE.has(short) ? 1 : 0} where id = ${id}`.execute(db)
  }
}

async function findAliases(db: Database): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ alias: string; benchmark_id: string }>`
    select alias, benchmark_id from benchmark_aliases order by id`.execute(db)
  return new Map(rows.map(({ alias, benchmark_id }) => [alias, benchmark_id]))
}

async function addAlias(db: Database, alias: string, target: string): Promise<void> {
  const now = new Date().toISOString()
  await sql`
    insert into benchmark_aliases (alias, benchmark_id, created_at)
    values (${alias}, ${target}, ${now}) on conflict (alias) do nothing`.execute(db)
}

function shortened(id: string): string {
  const prefix = `${PREFIX}benchmark_`
  const rest = id.startsWith(prefix) ? id.slice(prefix.length) : ''
  return rest.trim() === '' ? id : rest
}

const CORE = new Set(['Operating_System_Core', 'Network_Core_SRG', 'Application_Core_SRG'])

/** The name that the catalogue gives to a stored release. */
function nameOf(id: string, version: string): string {
  const spaced = id.replaceAll('_', ' ').replaceAll(/(\d)-/g, '$1.')
  const [, major = '', release = ''] = /^V(\d+)R([\d.]+)$/.exec(version) ?? []
  return `${spaced} - Ver ${major}, Rel ${release}`
}
