import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordKind } from '../../src/contracts/sources.ts'
import { isDeep } from '../support/runs.ts'
import { judge, keyOf, ratesOf, readJudgements, sumOf } from './judged.ts'
import { hasLibrary, openLibrary, readContent, type Library } from './library.ts'
import { isRight, meanOf, measure, readKnownItems, readQuestions, readSecondSet } from './yardsticks.ts'

const PAGE = { isFolded: false, isExplained: false, isGrouped: false, cursor: null, page: 1, perPage: 10 }
const RULES: readonly RecordKind[] = ['rule', 'requirement']
const open = { kinds: [], severities: [], tactics: [], domains: [], benchmarks: null, releases: null }
const judgements = readJudgements()
/** On PostgreSQL the search has the same index, and other tests see that the same comes into it. */
const server = isDeep ? process.env['PARAPET_TEST_POSTGRES'] : undefined
const name = `parapet_${randomBytes(8).toString('hex')}`

let folder = ''
let sqlite: Library
let postgres: Library | null = null

/** The first ten of a query, as the judgements call them. */
async function firstTen({ search }: Library, text: string): Promise<readonly string[]> {
  const { results } = await search.unified(null, { ...open, ...PAGE, text })
  return results.map(keyOf)
}

describe.skipIf(!hasLibrary)('The judgements, over a published library', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parapet-'))
    const content = await readContent(join(folder, 'ontology'))
    sqlite = await openLibrary(content, { dataDir: join(folder, 'guidance'), url: null })
    // Longer than anybody who asks would wait, where others use the machine.
    await sqlite.search.prepare(Promise.resolve())
    if (server === undefined) return
    await onServer(server, `create database ${name}`)
    const url = new URL(server)
    url.pathname = `/${name}`
    postgres = await openLibrary(content, { dataDir: join(folder, 'postgres'), url: url.href })
    await postgres.search.prepare(Promise.resolve())
  }, 300_000)

  afterAll(async () => {
    for (const library of [sqlite, postgres]) {
      await library?.search.close()
      await library?.database.close()
    }
    if (server !== undefined) await onServer(server, `drop database ${name} with (force)`)
    await rm(folder, { recursive: true, force: true })
  })

  it('are met as well as before', { timeout: 120_000 }, async () => {
    const figures = []
    for (const judgement of judgements) figures.push(judge(await firstTen(sqlite, judgement.query), judgement))
    const { successIn3, recallIn10, reciprocalRank } = ratesOf(sumOf(figures))
    expect(successIn3).toBeGreaterThanOrEqual(0.985)
    expect(recallIn10).toBeGreaterThanOrEqual(0.955)
    expect(reciprocalRank).toBeGreaterThanOrEqual(0.96)
  })

  it.for([
    ['what others call the rules, which nobody here wrote', readKnownItems, RULES, 278, 0.82, 0.885],
    ['questions of the half that was read', () => readQuestions(1), [], 130, 0.69, 0.75],
    ['questions of the half that was not read', () => readQuestions(2), [], 123, 0.68, 0.72],
    ['questions of nine kinds by others', () => [...readSecondSet().values()].flat(), [], 174, 0.51, 0.535],
  ] as const)('are measured by %s', { timeout: 120_000 }, async ([, read, kinds, count, reciprocalRank, in3]) => {
    const measured = []
    for (const yardstick of read()) {
      const request = { ...open, ...PAGE, text: yardstick.query, kinds, isFolded: false }
      const { results } = await sqlite.search.unified(null, request)
      measured.push(
        measure(
          results.map((result) => isRight(yardstick, result)),
          1,
        ),
      )
    }
    expect(measured).toHaveLength(count)
    expect(meanOf(measured, 'reciprocalRank').mean).toBeGreaterThanOrEqual(reciprocalRank)
    expect(meanOf(measured, 'in3').mean).toBeGreaterThanOrEqual(in3)
  })

  it.for(judgements.filter(({ kind }) => kind === 'identifier'))(
    'the id leads to its record: $query',
    async (judgement) => {
      const { first3 } = judge(await firstTen(sqlite, judgement.query), judgement)
      expect(first3[0]).toBe(first3[1])
    },
  )

  it.skipIf(server === undefined)(
    'have the same answers in the same order on both databases',
    { timeout: 240_000 },
    async () => {
      for (const { query } of judgements)
        expect([query, postgres && (await firstTen(postgres, query))]).toEqual([query, await firstTen(sqlite, query)])
    },
  )
})

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
