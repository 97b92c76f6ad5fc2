// @module-tag database

import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { deleteBenchmark } from '../../../src/guidance/catalogue/benchmarks/writer.ts'
import type { Writer } from '../../../src/guidance/database/transaction.ts'
import { openFeed } from '../../../src/guidance/search-feed/feed-module.ts'
import { SYSTEM } from '../../../src/http/caller.ts'
import { makeComponent } from '../../support/authoring.ts'
import { emptyCatalogue, sendGood, store } from '../../support/catalogue.ts'
import { alter, setRows } from '../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../support/guidance.ts'
import { xccdfDocument } from '../../support/xccdf-document.ts'
import { Follower } from './follower.ts'

const service = guidanceService()
const owner = signedIn(service, 'Owner', { admin: true })
let projectId: number

beforeAll(async () => {
  projectId = await service().project(owner)
})

afterEach(async () => {
  await alter(service(), (writer) => writer.deleteFrom('components').execute())
  await emptyCatalogue(service())
})

/** Checks that a follower knows what a new reader reads; returns the number of records. */
async function following(): Promise<() => Promise<number>> {
  const feed = await openFeed(service().service.guidance.searchFeed.data)
  onTestFinished(() => feed.close())
  const follower = new Follower(feed)
  await follower.read()
  return async () => {
    const known = await follower.read()
    expect(known).toEqual(await new Follower(feed).read())
    return Object.keys(known).length
  }
}

describe('A follower of the changes has the same records as the database', () => {
  it('after benchmarks were added, replaced and removed', async () => {
    const known = await following()
    await store(service(), { rules: 230 })
    expect(await known()).toBe(230)
    await sendGood(owner, xccdfDocument({ id: 'Sent_STIG', rules: 7 }))
    expect(await known()).toBe(237)
    const other = xccdfDocument({ id: 'Sent_STIG', title: 'Other Teapot', rules: 5 })
    await sendGood(owner, other, { fields: { replace: 'true' } })
    expect(await known()).toBe(235)
    const id = await store(service(), { id: 'Other_SRG', kind: 'srg', rules: 3 })
    expect(await known()).toBe(238)
    await alter(service(), (writer) => deleteBenchmark(writer, { id, kind: 'srg', actor: SYSTEM }))
    expect(await known()).toBe(235)
  })

  it('after people have written', async () => {
    const known = await following()
    const { id, rules } = await makeComponent(service(), owner, { projectId, rules: 30 })
    expect(await known()).toBe(61)
    const [first = 0, second = 0] = rules
    const rule = { title: 'Kettles rest', vendor_comments: 'Ours', rule_severity: 'CAT I' }
    const calls: readonly [string, string, unknown, number][] = [
      ['PUT', `/rules/${first}`, { rule: { title: rule.title, fixtext: 'No' } }, 61],
      ['PUT', `/rules/${second}`, { rule: { checks_attributes: [{ content: 'Look.' }] } }, 61],
      ['PUT', `/components/${id}`, { component: { name: 'Renamed', prefix: 'NEWS-00' } }, 61],
      ['POST', `/components/${id}/rules`, { rule: { duplicate: true, id: first } }, 62],
      ['DELETE', `/rules/${second}`, {}, 61],
    ]
    for (const [method, path, body, count] of calls) {
      const { status, body: said } = await owner.call(method, path, { body })
      expect([path, status, said]).toEqual([path, 200, said])
      expect(await known()).toBe(count)
    }
    const [, , third = 0] = rules
    await setRows(service(), 'rule_checks', { content: 'Mine' }, { rule_id: first })
    expect(await known()).toBe(61)
    await setRows(service(), 'rule_checks', { rule_id: third }, { rule_id: first })
    expect(await known()).toBe(61)
    await alter(service(), (writer) => writer.deleteFrom('components').execute())
    expect(await known()).toBe(30)
  })

  it('after any sequence of writes', async () => {
    const known = await following()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 8 }), async (transactions) => {
        await store(service(), { rules: 2 })
        await makeComponent(service(), owner, { projectId, rules: 2 })
        await known()
        for (const changes of transactions) {
          const fails = changes.some(({ act }) => act === 'fail')
          const done = alter(service(), async (writer) => {
            for (const entry of changes) await ACTS[entry.act](writer, entry)
          })
          await (fails ? expect(done).rejects.toThrow('undone') : done)
          await known()
        }
        await alter(service(), (writer) => writer.deleteFrom('components').execute())
        await emptyCatalogue(service())
        expect(await known()).toBe(0)
      }),
      { numRuns: 12 },
    )
  })
})

interface Change {
  readonly act: keyof typeof ACTS
  /** Index of the row to change. */
  readonly nth: number
  readonly text: string
}

type Act = (writer: Writer, change: Change) => Promise<unknown>

function nthOf(table: string, nth: number) {
  const count = sql`(select count(*) from ${sql.table(table)})`
  return sql<number>`(select id from ${sql.table(table)} order by id limit 1
    offset case when ${count} = 0 then 0 else ${sql.lit(nth)} % ${count} end)`
}

function setText(table: string, column: string): Act {
  return (writer, { nth, text }) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text}
      where id = ${nthOf(table, nth)}`.execute(writer)
}

function movePart(table: string, rules: string): Act {
  return (writer, { nth }) =>
    sql`update ${sql.table(table)} set rule_id = ${nthOf(rules, nth)}
      where id = ${nthOf(table, nth)}`.execute(writer)
}

function remove(table: string): Act {
  return (writer, { nth }) => sql`delete from ${sql.table(table)} where id = ${nthOf(table, nth)}`.execute(writer)
}

const ACTS = {
  titleOfBenchmark: setText('benchmarks', 'title'),
  titleOfCatalogueRule: setText('benchmark_rules', 'title'),
  groupOfCatalogueRule: setText('benchmark_rules', 'group_id'),
  checkOfCatalogueRule: setText('benchmark_checks', 'content'),
  moveFix: movePart('benchmark_fixes', 'benchmark_rules'),
  ident: setText('benchmark_idents', 'value'),
  removeBenchmark: (writer) =>
    sql`delete from benchmarks
      where id not in (select benchmark_id from component_srgs)`.execute(writer),
  titleOfRule: setText('rules', 'title'),
  identOfRule: setText('rules', 'ident'),
  commentsOfRule: setText('rules', 'vendor_comments'),
  severityOfRule: (writer, { nth }) =>
    sql`update rules set rule_severity = 'high' where id = ${nthOf('rules', nth)}`.execute(writer),
  markAsDeleted: (writer, { nth }) =>
    sql`update rules set deleted_at = '2026-01-01T00:00:00.000Z'
      where id = ${nthOf('rules', nth)}`.execute(writer),
  lockRule: (writer, { nth }) => sql`update rules set locked = 1 where id = ${nthOf('rules', nth)}`.execute(writer),
  addCheck: (writer, { nth, text }) =>
    sql`insert into rule_checks (rule_id, content)
      select id, ${text} from rules where id = ${nthOf('rules', nth)}`.execute(writer),
  moveCheck: movePart('rule_checks', 'rules'),
  removeCheck: remove('rule_checks'),
  removeRule: remove('rules'),
  nameOfComponent: setText('components', 'name'),
  prefixOfComponent: setText('components', 'prefix'),
  metadataOfComponent: setText('components', 'metadata'),
  fail: () => Promise.reject(new Error('undone')),
} satisfies Record<string, Act>

const change = fc.record({
  act: fc.constantFrom<Change['act'][]>(...Object.keys(ACTS).filter((name): name is Change['act'] => name in ACTS)),
  nth: fc.nat({ max: 5 }),
  text: fc.constantFrom('kettle', 'multi-factor lid', 'CCI-000366', 'é пароль'),
})
