import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { shortIds } from '../../../../src/guidance/database/migrations/021-short-ids.ts'
import { emptyCatalogue, inventory, store } from '../../../support/catalogue.ts'
import { alter, entriesOf, rowsOf } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn, type Answer } from '../../../support/guidance.ts'

const guidance = guidanceService()
const PATH = '/api/benchmark_aliases'

const rows = z.object({ rows: z.array(z.object({ id: z.int(), alias: z.string(), benchmark_id: z.string() })) })

const admin = signedIn(guidance, 'Root', { admin: true })

beforeEach(() => emptyCatalogue(guidance()))

function add(alias: unknown, benchmark_id: unknown): Promise<Answer> {
  return admin.call('POST', PATH, { body: { benchmark_alias: { alias, benchmark_id } } })
}

async function list(): Promise<readonly string[]> {
  const { body } = await admin.call('GET', PATH)
  return rows.parse(body).rows.map(({ alias, benchmark_id }) => `${alias} → ${benchmark_id}`)
}

describe('An alias', () => {
  it('is added, listed by name and removed', async () => {
    const b = await add('B', 'X')
    expect(b).toMatchObject({
      status: 200,
      body: {
        benchmark_alias: { alias: 'B', benchmark_id: 'X' },
        toast: { title: 'Alias added.', variant: 'success' },
      },
    })
    await add(' A ', ' X ')
    expect(await list()).toEqual(['A → X', 'B → X'])
    const { id } = z.object({ benchmark_alias: z.object({ id: z.int() }) }).parse(b.body).benchmark_alias
    expect((await admin.call('DELETE', `${PATH}/${id}`)).body).toMatchObject({ toast: { title: 'Alias removed.' } })
    expect(await list()).toEqual(['A → X'])
    expect((await admin.call('DELETE', `${PATH}/${id}`)).status).toBe(404)
  })

  it('of an alias refers to the target of that alias', async () => {
    await add('Middle', 'New')
    await add('Old', 'Middle')
    expect(await list()).toEqual(['Middle → New', 'Old → New'])
  })

  it('redirects aliases that refer to it', async () => {
    await add('Old', 'Middle')
    await add('Older', 'Middle')
    await add('Middle', 'New')
    expect(await list()).toEqual(['Middle → New', 'Old → New', 'Older → New'])
  })

  it.for([
    ['itself', [], ['A', 'A'], 'benchmark_id'],
    ['itself after a chain', [['B', 'A']], ['A', 'B'], 'benchmark_id'],
    [
      'itself after a longer chain',
      [
        ['C', 'B'],
        ['B', 'A'],
      ],
      ['A', 'C'],
      'benchmark_id',
    ],
    ['something else already', [['A', 'B']], ['A', 'C'], 'alias'],
    ['the same already', [['A', 'B']], ['A', 'B'], 'alias'],
  ] as const)('for %s is refused', async ([, earlier, [alias, benchmarkId], field]) => {
    for (const [name, target] of earlier) await add(name, target)
    const before = [await list(), await inventory(guidance())]
    expect(await add(alias, benchmarkId)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ field }], toast: { title: 'Could not add the alias.' } },
    })
    expect([await list(), await inventory(guidance())]).toEqual(before)
  })

  it.each([
    ['', 'B', 'alias'],
    ['A', '  ', 'benchmark_id'],
    ['x'.repeat(256), 'B', 'alias'],
    [7, 'B', 'alias'],
    ['a\0b', 'B', 'alias'],
    ['A', undefined, 'benchmark_id'],
  ])('of %j for %j is refused', async (alias, benchmarkId, field) => {
    expect(await add(alias, benchmarkId)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ field }] },
    })
  })

  it('is case-sensitive', async () => {
    await add('a', 'A')
    expect(await list()).toEqual(['a → A'])
  })

  it('is added once by two people at the same time', async () => {
    const answers = await Promise.all([add('A', 'B'), add('A', 'C')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it('is recorded in the audit trail', async () => {
    const entries = await entriesOf(guidance(), async () => {
      const { body } = await add('Old', 'New')
      const { id } = z.object({ benchmark_alias: z.object({ id: z.int() }) }).parse(body).benchmark_alias
      await admin.call('DELETE', `${PATH}/${id}`)
    })
    const change = { field: 'benchmark_id' }
    expect(entries).toMatchObject([
      { action: 'create', audited_name: 'Old', changes: [{ ...change, new_value: 'New' }] },
      { action: 'destroy', audited_name: 'Old', changes: [{ ...change, prev_value: 'New' }] },
    ])
  })
})

describe('Benchmarks that an earlier program stored under the ids of XCCDF 1.2', () => {
  const [BENCHMARK, GROUP, RULE] = ['benchmark', 'group', 'rule'].map((kind) => `xccdf_mil.disa.stig_${kind}_`)

  it('get their short ids, and an alias if both ids exist', async () => {
    const short = await store(guidance(), { id: 'Teapot_STIG' })
    const long = await store(guidance(), { id: 'Long_STIG' })
    const later = await store(guidance(), { id: 'Long_STIG', release: '2', rules: 1 })
    await add('Long_STIG', 'Pot_STIG')
    await add('Old', 'Kettle')
    await alter(guidance(), async (writer) => {
      await sql`update benchmarks set benchmark_id = ${`${BENCHMARK}Teapot_STIG`}, name = '', core = 1
        where id = ${long}`.execute(writer)
      await sql`update benchmarks set benchmark_id = ${BENCHMARK} || benchmark_id, name = ''
        where id = ${later}`.execute(writer)
      await sql`update benchmark_rules set rule_id = ${RULE} || rule_id,
        group_id = ${GROUP} || group_id where benchmark_id <> ${short}`.execute(writer)
      await sql`update benchmark_aliases set benchmark_id = ${`${BENCHMARK}Long_STIG`}
        where alias = 'Old'`.execute(writer)
    })
    await alter(guidance(), shortIds)
    const found = await rowsOf(guidance(), 'benchmarks')
    expect(found.map(({ id, benchmark_id }) => [id, benchmark_id])).toEqual([
      [short, 'Teapot_STIG'],
      [long, `${BENCHMARK}Teapot_STIG`],
      [later, 'Long_STIG'],
    ])
    expect(found[2]?.name).toBe('Long STIG - Ver 1, Rel 2')
    expect(await list()).toEqual(['Long_STIG → Pot_STIG', 'Old → Pot_STIG', `${BENCHMARK}Teapot_STIG → Teapot_STIG`])
    const rules = await rowsOf(guidance(), 'benchmark_rules')
    expect(rules.filter(({ rule_id, group_id }) => `${rule_id}${group_id}`.includes('xccdf'))).toEqual([])
  })

  it('have the same alias under either id', async () => {
    await add(`${BENCHMARK}Old_STIG`, `${BENCHMARK}New_STIG`)
    expect(await list()).toEqual(['Old_STIG → New_STIG'])
    expect((await add(`${BENCHMARK}A_STIG`, 'A_STIG')).status).toBe(422)
  })
})
