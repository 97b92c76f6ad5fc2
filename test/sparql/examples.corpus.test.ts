import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { store } from '../support/catalogue.ts'
import { CORPUS } from '../support/corpus.ts'
import { guidanceService } from '../support/guidance.ts'
import { jsonOf } from '../support/service.ts'

const PUBLISHED = join(CORPUS, 'ontology/d3fend-0.17.0.ttl')
const STIGS = ['U_RHEL_9_STIG_V2R7', 'U_RHEL_8_STIG_V1R2'].map((name) => join(CORPUS, `xccdf/${name}_Manual-xccdf.xml`))
const isPresent = [PUBLISHED, ...STIGS].every((path) => existsSync(path))

/** The examples, and what is asked in words. */
const EXAMPLES = Array.from(
  readFileSync('docs/sparql.md', 'utf8').matchAll(/\*\*([^*]+)\*\*[^`]*```sparql\n([\s\S]*?)```/g),
  ([, words = '', query = '']) => ({ words, query }),
)

const guidance = guidanceService(
  { SERVICE_BASE_URL: 'http://localhost:3000', SERVICE_SPARQL_SECONDS: '60' },
  undefined,
  isPresent ? [PUBLISHED] : [],
)

type Row = Readonly<Record<string, string>>

async function rowsOf(query: string): Promise<readonly Row[]> {
  const headers = { 'Content-Type': 'application/sparql-query', Accept: 'text/csv' }
  const answer = await guidance().service.get('/sparql', { method: 'POST', headers, body: query })
  expect([answer.status, answer.body.toString()]).toEqual([200, answer.body.toString()])
  return z.array(z.record(z.string(), z.string())).parse(parse(answer.body, { columns: true }))
}

async function exampleRows(words: string): Promise<readonly Row[]> {
  const example = EXAMPLES.find((candidate) => candidate.words.startsWith(words))
  return rowsOf(example?.query ?? '')
}

const bindings = z.object({
  off_to_def: z.object({
    results: z.object({ bindings: z.array(z.looseObject({ def_tech: z.object({ value: z.string() }).optional() })) }),
  }),
})

/** Countermeasures that the JSON of an attack lists. */
async function countersOf(attack: string): Promise<readonly string[]> {
  const path = `/api/offensive-technique/attack/${attack}.json`
  const { off_to_def } = bindings.parse(jsonOf(await guidance().service.get(path)))
  return off_to_def.results.bindings.flatMap(({ def_tech }) => def_tech?.value ?? [])
}

describe.skipIf(!isPresent)('The examples of docs/sparql.md', () => {
  beforeAll(async () => {
    for (const path of STIGS) await store(guidance(), await readFile(path, 'utf8'))
  })

  it('are ten', () => {
    expect(EXAMPLES).toHaveLength(10)
  })

  it.each(EXAMPLES)('answer: $words', async ({ query }) => {
    if (!query.includes('CONSTRUCT')) {
      expect((await rowsOf(query)).length).toBeGreaterThan(0)
      return
    }
    const headers = { 'Content-Type': 'application/sparql-query', Accept: 'application/n-triples' }
    const answer = await guidance().service.get('/sparql', { method: 'POST', headers, body: query })
    expect(answer.body.toString().split('\n').length).toBeGreaterThan(1000)
  })

  it('find the techniques of T1110 that the mappings have', async () => {
    const mapped = await Promise.all([1, 2, 3, 4].map((number) => countersOf(`T1110.00${number}`)))
    const rows = await exampleRows('Which rules of RHEL 9 counter T1110?')
    const techniques = new Set(rows.map(({ technique }) => technique))
    expect(techniques.size).toBeGreaterThan(2)
    expect([...techniques].filter((technique) => !mapped.flat().includes(technique ?? ''))).toEqual([])
    const rules = new Set(rows.map(({ stig_id }) => stig_id))
    expect(rules).toContain('RHEL-09-213010')
  })

  it('find no countermeasure if the mappings have none', async () => {
    const rows = await exampleRows('Which attacks have no counter at all?')
    const ids = rows.map(({ id }) => id ?? '').filter((id) => id.startsWith('T1'))
    const some = ids.filter((_, index) => index % 40 === 0)
    expect(some.length).toBeGreaterThan(3)
    for (const id of some) expect(await countersOf(id), id).toEqual([])
  })
})
