// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { storeAttack } from '../../../../support/attack-bundle.ts'
import { storeCwe } from '../../../../support/cwe.ts'
import { guidanceService } from '../../../../support/guidance.ts'

const BASE = 'https://guidance.example'
const SKOS = 'http://www.w3.org/2004/02/skos/core#'
const guidance = guidanceService({ SERVICE_BASE_URL: BASE })

beforeAll(async () => {
  const { database } = guidance().service.guidance
  await storeAttack(database)
  await storeCwe(database)
})

function get(path: string, accept: string): Promise<Response> {
  return fetch(guidance().service.baseUrl + path, { headers: { accept }, redirect: 'manual' })
}

async function statements(path: string): Promise<readonly string[]> {
  const answer = await get(path, 'application/n-triples')
  expect(answer.status, path).toBe(200)
  return (await answer.text()).trim().split('\n')
}

describe('The IRI of an item of reference data', () => {
  it('answers a technique of ATT&CK in RDF, in any case', async () => {
    const found = await statements('/attack/t9001')
    expect(found).toContain(`<${BASE}/attack/T9001> <${SKOS}prefLabel> "Pour Over" .`)
    expect(found.every((line) => line.startsWith(`<${BASE}/attack/T9001> `))).toBe(true)
  })

  it('answers an entry of CWE in RDF', async () => {
    expect(await statements('/cwe/CWE-901')).toContain(`<${BASE}/cwe/CWE-901> <${SKOS}altLabel> "Dry Tea" .`)
  })

  it.each([
    ['/attack/T9999', 404],
    ['/cwe/CWE-999', 404],
    ['/cwe/nothing', 404],
    ['/attack/%00', 400],
  ])('is refused where nothing has it: %s', async (path, expected) => {
    const answer = await get(path, 'text/turtle')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      expected,
      'application/problem+json; charset=utf-8',
    ])
  })

  it.each([
    ['/attack/T9001.001', '/offensive-technique/attack/T9001.001'],
    ['/attack/TA9001', '/search?q=TA9001'],
    ['/cwe/cwe-901', '/weakness/cwe/CWE-901'],
  ])('leads browsers from %s to a page', async (path, page) => {
    const { status, headers } = await get(path, 'text/html')
    expect([status, headers.get('location')]).toEqual([303, page])
  })
})
