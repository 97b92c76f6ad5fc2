import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deleteBenchmark } from '../../../../src/guidance/catalogue/benchmarks/writer.ts'
import type { Writer } from '../../../../src/guidance/database/transaction.ts'
import { completeWords, rebuildWords } from '../../../../src/guidance/full-text/complete.ts'
import { SYSTEM } from '../../../../src/http/caller.ts'
import { makeComponent } from '../../../support/authoring.ts'
import { emptyCatalogue, sendGood, store } from '../../../support/catalogue.ts'
import { alter } from '../../../support/guidance-records.ts'
import { guidanceService, type Person, type SessionClient } from '../../../support/guidance.ts'
import { xccdfDocument } from '../../../support/xccdf-document.ts'
import { isPresent, XCCDF } from '../../catalogue/xccdf/corpus.ts'
import { bothIndexes } from '../../full-text/contents.ts'

const service = guidanceService()

let owner: Person
let session: SessionClient
let projectId: number

beforeAll(async () => {
  owner = await service().person('Owner')
  session = await service().signIn(owner.email)
  projectId = await service().project(session)
})

afterEach(async () => {
  await alter(service(), (writer) => writer.deleteFrom('components').execute())
  await emptyCatalogue(service())
})

async function expectSettled(): Promise<number> {
  const { kept, meant } = await bothIndexes(service())
  expect(kept).toEqual(meant)
  return Object.keys(kept).length
}

describe('The words', () => {
  it('are there for each of many rules, and go with them', async () => {
    await store(service(), { rules: 97 })
    const id = await store(service(), { id: 'Other_STIG', rules: 41 })
    expect(await expectSettled()).toBe(138)
    await alter(service(), (writer) => deleteBenchmark(writer, { id, kind: 'stig', actor: SYSTEM }))
    expect(await expectSettled()).toBe(97)
  })

  it('of an upload are those of its rows, which nobody reads again', async () => {
    const admin = await service().person('Root', { admin: true })
    const client = await service().signIn(admin.email)
    await sendGood(client, xccdfDocument({ rules: 97 }))
    expect(await expectSettled()).toBe(97)
    const other = xccdfDocument({ title: 'Other Teapot', rules: 41 })
    await sendGood(client, other, { fields: { replace: 'true' } })
    expect(await expectSettled()).toBe(41)
  })

  it.skipIf(!isPresent)('of published benchmarks are those of their rows', async () => {
    const admin = await service().person('Librarian', { admin: true })
    const client = await service().signIn(admin.email)
    const file = join(XCCDF, 'derived-U_SRG-STIG_Library_sample.zip')
    const { imported } = await sendGood(client, readFileSync(file))
    const rules = imported.map(({ rule_count }) => rule_count)
    expect(await expectSettled()).toBe(rules.reduce((all, one) => all + one, 0))
  })

  it('follow authored guidance through what people do with it', async () => {
    const { id, rules } = await makeComponent(service(), owner, { projectId, rules: 30 })
    expect(await expectSettled()).toBe(61)
    const [first = 0, second = 0] = rules
    const rule = { title: 'Kettles rest', vendor_comments: 'Ours', fixtext: 'PermitRootLogin no' }
    const calls: readonly [string, string, unknown][] = [
      ['PUT', `/rules/${first}`, { rule }],
      ['PUT', `/rules/${second}`, { rule: { checks_attributes: [{ content: 'Look twice.' }] } }],
      ['PUT', `/components/${id}`, { component: { name: 'Renamed', prefix: 'NEWS-00' } }],
      ['POST', `/components/${id}/rules`, { rule: { duplicate: true, id: first } }],
      ['DELETE', `/rules/${second}`, {}],
    ]
    for (const [method, path, body] of calls) {
      const { status, body: said } = await session.call(method, path, { body })
      expect([path, status, said]).toEqual([path, 200, said])
      await expectSettled()
    }
  })

  it('are those that the rows have after anything that writers may do', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 8 }),
        async (all) => {
          await store(service(), { rules: 2 })
          await makeComponent(service(), owner, { projectId, rules: 2 })
          for (const changes of all) {
            const fails = changes.some(({ act }) => act === 'fail')
            const done = alter(service(), async (writer) => {
              for (const one of changes) await ACTS[one.act](writer, one)
            })
            await (fails ? expect(done).rejects.toThrow('undone') : done)
            await expectSettled()
          }
          await alter(service(), (writer) => writer.deleteFrom('components').execute())
          await emptyCatalogue(service())
          expect(await expectSettled()).toBe(0)
        },
      ),
      { numRuns: 12 },
    )
  }, 120_000)
})

describe('completeWords and rebuildWords', () => {
  it.each([
    ['what has none', completeWords],
    ['all', rebuildWords],
  ])('work out the words of %s', async (_which, work) => {
    await store(service(), { rules: 230 })
    await makeComponent(service(), owner, { projectId, rules: 30 })
    const before = await expectSettled()
    await alter(service(), async (writer) => {
      for (const kind of ['benchmark_rule', 'rule', 'component'])
        await sql`delete from ${sql.table(`${kind}_words`)}`.execute(writer)
    })
    expect((await bothIndexes(service())).kept).toEqual({})
    await work(service().service.guidance.database)
    expect(await expectSettled()).toBe(before)
  })

  it('put what has gone wrong right', async () => {
    await store(service(), { rules: 3 })
    await alter(service(), (writer) =>
      writer.dialect === 'sqlite'
        ? sql`insert into benchmark_rule_words (rowid, title) values (999999, 'ghost')`.execute(
            writer,
          )
        : sql`update benchmark_rule_words set words = '''ghost'':1'`.execute(writer),
    )
    const { kept, meant } = await bothIndexes(service())
    expect(kept).not.toEqual(meant)
    await rebuildWords(service().service.guidance.database)
    expect(await expectSettled()).toBe(3)
  })
})

interface Change {
  readonly act: keyof typeof ACTS
  /** Which of the rows that there are. */
  readonly nth: number
  readonly text: string
}

type Act = (writer: Writer, change: Change) => Promise<unknown>

function nthOf(table: string, nth: number) {
  const all = sql`(select count(*) from ${sql.table(table)})`
  return sql<number>`(select id from ${sql.table(table)} order by id limit 1
    offset case when ${all} = 0 then 0 else ${sql.lit(nth)} % ${all} end)`
}

function setText(table: string, column: string): Act {
  return (writer, { nth, text }) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text}
      where id = ${nthOf(table, nth)}`.execute(writer)
}

function addPart(table: string, column: string, owner: string): Act {
  return (writer, { nth, text }) =>
    sql`insert into ${sql.table(table)} (rule_id, ${sql.ref(column)})
      select id, ${text} from ${sql.table(owner)} where id = ${nthOf(owner, nth)}`.execute(writer)
}

function movePart(table: string, owner: string): Act {
  return (writer, { nth }) =>
    sql`update ${sql.table(table)} set rule_id = ${nthOf(owner, nth)}
      where id = ${nthOf(table, nth)}`.execute(writer)
}

function remove(table: string): Act {
  return (writer, { nth }) =>
    sql`delete from ${sql.table(table)} where id = ${nthOf(table, nth)}`.execute(writer)
}

const ACTS = {
  titleOfBenchmark: setText('benchmarks', 'title'),
  titleOfCatalogueRule: setText('benchmark_rules', 'title'),
  groupOfCatalogueRule: setText('benchmark_rules', 'group_id'),
  checkOfCatalogueRule: setText('benchmark_checks', 'content'),
  addFix: addPart('benchmark_fixes', 'text', 'benchmark_rules'),
  moveFix: movePart('benchmark_fixes', 'benchmark_rules'),
  removeFix: remove('benchmark_fixes'),
  ident: setText('benchmark_idents', 'value'),
  removeCatalogueRule: remove('benchmark_rules'),
  titleOfRule: setText('rules', 'title'),
  identOfRule: setText('rules', 'ident'),
  commentsOfRule: setText('rules', 'vendor_comments'),
  lockRule: (writer, { nth }) =>
    sql`update rules set locked = 1 where id = ${nthOf('rules', nth)}`.execute(writer),
  addCheck: addPart('rule_checks', 'content', 'rules'),
  moveCheck: movePart('rule_checks', 'rules'),
  removeCheck: remove('rule_checks'),
  removeRule: remove('rules'),
  nameOfComponent: setText('components', 'name'),
  prefixOfComponent: setText('components', 'prefix'),
  metadataOfComponent: setText('components', 'metadata'),
  fail: () => Promise.reject(new Error('undone')),
} satisfies Record<string, Act>

const WORDS = ['kettle', 'multi-factor', 'PermitRootLogin', 'CCI-000366', 'é', '—', 'пароль', '⑴']

const change = fc.record({
  act: fc.constantFrom<Change['act'][]>(
    ...Object.keys(ACTS).filter((name): name is Change['act'] => name in ACTS),
  ),
  nth: fc.nat({ max: 5 }),
  text: fc
    .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
    .map((words) => words.join(' ')),
})
