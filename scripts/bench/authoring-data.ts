import { copyRequirements } from '../../src/guidance/authoring/component-creation/from-srg.ts'
import { insertComponent } from '../../src/guidance/authoring/components/record.ts'
import { insertMembership } from '../../src/guidance/authoring/memberships/writer.ts'
import { insertProject } from '../../src/guidance/authoring/projects/writer.ts'
import { storeBenchmark } from '../../src/guidance/catalogue/benchmarks/writer.ts'
import { packBenchmark } from '../../src/guidance/catalogue/uploads/packed.ts'
import { readBenchmarks } from '../../src/guidance/catalogue/xccdf/reader.ts'
import type { Writer } from '../../src/guidance/database/transaction.ts'
import { hashPassword } from '../../src/guidance/identity/passwords/passwords.ts'
import type { GuidanceService } from '../../src/guidance/index.ts'
import { SYSTEM, type Caller } from '../../src/http/caller.ts'
import { xccdfDocument, type SampleRule } from '../../test/support/xccdf-document.ts'
import { addPeople, PASSWORD } from './guidance-data.ts'

const RULES = 1000
const COMMENTS = 5000
const AUTHORS = 100

/** Stores a component with rules, comments and authors; resolves to its number. */
export async function populateAuthoring({ database }: GuidanceService): Promise<number> {
  const passwordHash = await hashPassword(PASSWORD)
  const srgId = await storeSrg(database)
  return database.transact(async (writer) => {
    const people = (await addPeople(writer, passwordHash)).slice(0, AUTHORS)
    const [owner] = people
    if (owner === undefined) throw new Error('There are no people')
    const caller: Caller = { ...owner, admin: false, provider: null, via: { kind: 'session', id: 0 } }
    const projectId = await insertProject(writer, { name: 'Bench' }, caller)
    for (const { id: userId } of people.slice(1))
      await insertMembership(writer, { userId, projectId, role: 'author' }, SYSTEM)
    return addComponent(writer, { projectId, srgId, caller })
  })
}

/** An SRG with as many requirements; resolves to its number. */
export async function storeSrg(database: GuidanceService['database']): Promise<number> {
  const rules = Array.from({ length: RULES }, (_none, index) => requirement(index))
  const bytes = Buffer.from(xccdfDocument({ id: 'Bench_SRG', kind: 'srg', rules }))
  const [srg] = readBenchmarks(() => [bytes], {})
  if (srg === undefined) throw new Error('There is no benchmark')
  const packed = await packBenchmark(srg, [bytes])
  const incoming = {
    ...packed,
    rules: (from: number, to: number) => Promise.resolve(srg.benchmark.rules.slice(from, to)),
  }
  const { id } = await database.transact((writer) =>
    storeBenchmark(writer, incoming, { replace: false, actor: SYSTEM }),
  )
  return id
}

/** A text as long as real ones: about 2.5 kB. */
function requirement(index: number): SampleRule {
  const number = String(index + 1).padStart(6, '0')
  const sentence = 'Sessions that nobody has used for a while must be ended by the system. '
  return {
    id: `SV-1${number}r1_rule`,
    group: `V-1${number}`,
    version: `SRG-OS-${number}-GPOS-00001`,
    requirement: 'SRG-OS',
    severity: ['high', 'medium', 'low'][index % 3] ?? null,
    title: `The system must end session ${number}.`,
    cci: ['CCI-000366'],
    discussion: sentence.repeat(14),
    checks: [sentence.repeat(12)],
    fix: sentence.repeat(8),
  }
}

async function addComponent(
  writer: Writer,
  { projectId, srgId, caller }: { projectId: number; srgId: number; caller: Caller },
): Promise<number> {
  const componentId = await insertComponent(
    writer,
    {
      projectId,
      documentType: 'stig',
      srgIds: [srgId],
      overlaid: null,
      publishedSource: null,
      name: 'Bench',
      prefix: 'BNCH-00',
      title: 'Bench',
      description: null,
      version: 1,
      release: 1,
      admin: null,
      advancedFields: false,
      metadata: {},
    },
    caller,
  )
  await copyRequirements(writer, componentId, { ids: [srgId], selections: new Map() })
  await writer
    .updateTable('rules')
    .set({ status: 'Applicable - Configurable' })
    .where('component_id', '=', componentId)
    .execute()
  const ruleIds = await numbersOf(writer, componentId)
  const created_at = new Date().toISOString()
  const comments = Array.from({ length: COMMENTS }, (_none, index) => ({
    component_id: componentId,
    rule_id: ruleIds[index % ruleIds.length] ?? null,
    user_id: caller.id,
    author_name: caller.name,
    action: 'comment' as const,
    comment: `Comment ${index}: please say for how long.`,
    created_at,
    updated_at: created_at,
    triage_status: STATUSES[index % STATUSES.length] ?? null,
  }))
  for (let from = 0; from < COMMENTS; from += 500)
    await writer
      .insertInto('reviews')
      .values(comments.slice(from, from + 500))
      .execute()
  return componentId
}

const STATUSES = ['pending', 'concur', 'non_concur', 'informational'] as const

async function numbersOf(writer: Writer, componentId: number): Promise<readonly number[]> {
  const rows = await writer
    .selectFrom('rules')
    .select('id')
    .where('component_id', '=', componentId)
    .orderBy('number')
    .execute()
  return rows.map(({ id }) => id)
}
