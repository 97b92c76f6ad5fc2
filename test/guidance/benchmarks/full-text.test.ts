import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { completeFullText } from '../../../src/guidance/benchmarks/full-text.ts'
import { emptyCatalogue, store } from '../../support/catalogue.ts'
import { alter } from '../../support/guidance-records.ts'
import { guidanceService, type GuidanceUnderTest } from '../../support/guidance.ts'

const service = guidanceService()

const RULES = [
  { id: 'SV-1r1_rule', title: 'Idle shells end', fix: 'Set TMOUT.', discussion: 'Strangers type.' },
  { id: 'SV-2r1_rule', title: 'Audits are kept', checks: ['Look at the logs.', 'Ask twice.'] },
]

afterEach(() => emptyCatalogue(service()))

/** Ids of the rules that have a word, whatever its ending. */
async function rulesWith(
  { service }: GuidanceUnderTest,
  word: string,
): Promise<readonly unknown[]> {
  const { read, dialect } = service.guidance.database
  const found =
    dialect === 'sqlite'
      ? sql`select rowid from benchmark_rule_texts where benchmark_rule_texts match ${word}`
      : sql`select rule_id from benchmark_rule_texts where words @@ plainto_tsquery('english', ${word})`
  const rows = await sql<{ rule_id: string }>`
    select rule_id from benchmark_rules where id in (${found}) order by rule_id`.execute(read)
  return rows.rows.map((row) => row.rule_id)
}

async function entries({ service }: GuidanceUnderTest): Promise<readonly number[]> {
  const { read, dialect } = service.guidance.database
  const key = dialect === 'sqlite' ? sql`rowid` : sql`rule_id`
  const { rows } = await sql<{ id: number }>`
    select ${key} as id from benchmark_rule_texts order by 1`.execute(read)
  return rows.map(({ id }) => id)
}

async function ruleNumbers({ service }: GuidanceUnderTest): Promise<readonly number[]> {
  const { read } = service.guidance.database
  const rows = await read.selectFrom('benchmark_rules').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

describe('The full text of catalogue rules', () => {
  it.each([
    ['shell', ['SV-1r1_rule']],
    ['TMOUT', ['SV-1r1_rule']],
    ['stranger', ['SV-1r1_rule']],
    ['audit', ['SV-2r1_rule']],
    ['log', ['SV-2r1_rule']],
    ['twice', ['SV-2r1_rule']],
    ['teapot', []],
  ])('has the words of their title, fix, discussion and checks: %s', async (word, ids) => {
    await store(service(), { rules: RULES })
    expect(await rulesWith(service(), word)).toEqual(ids)
  })

  it('has an entry for each of many rules, and none when they are gone', async () => {
    await store(service(), { rules: 97 })
    const id = await store(service(), { id: 'Other_STIG', rules: 41 })
    expect(await entries(service())).toEqual(await ruleNumbers(service()))
    await alter(service(), (writer) =>
      writer.deleteFrom('benchmarks').where('id', '=', id).execute(),
    )
    expect(await entries(service())).toHaveLength(97)
    expect(await entries(service())).toEqual(await ruleNumbers(service()))
  })

  it('takes texts of any length, and the words of their beginning', async () => {
    const long = Array.from({ length: 90_000 }, (_none, index) => `ẅörd${index}`).join(' ')
    await store(service(), {
      rules: [{ id: 'SV-3r1_rule', fix: `Kettle ${long}`, checks: [long] }],
    })
    expect(await rulesWith(service(), 'kettle')).toEqual(['SV-3r1_rule'])
  })

  it('is completed for rules that were stored without it', async () => {
    await store(service(), { rules: RULES })
    await store(service(), { id: 'Other_STIG', rules: 3 })
    const [first] = await ruleNumbers(service())
    await alter(service(), (writer) =>
      writer.dialect === 'sqlite'
        ? sql`delete from benchmark_rule_texts where rowid <> ${first}`.execute(writer)
        : sql`delete from benchmark_rule_texts where rule_id <> ${first}`.execute(writer),
    )
    expect(await entries(service())).toEqual([first])
    await completeFullText(service().service.guidance.database)
    expect(await entries(service())).toEqual(await ruleNumbers(service()))
    expect(await rulesWith(service(), 'audits')).toEqual(['SV-2r1_rule'])
  })
})
