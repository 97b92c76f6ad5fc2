import { beforeAll, describe, expect, it } from 'vitest'
import { globalSearchResult } from '../../../src/guidance/search/global-schemas.ts'
import { makeComponent } from '../../support/authoring.ts'
import { store } from '../../support/catalogue.ts'
import { guidanceService, type Client } from '../../support/guidance.ts'

const guidance = guidanceService()

let client: Client

describe('GET /api/search/global, words and phrases as they are written', () => {
  const TITLES = ['Alpha x beta', 'Beta x alpha', 'Alpha and x and beta', 'Use kq12v2 or IPv6', 'Use TLSv1.2', 'zq34w5']

  beforeAll(async () => {
    const under = guidance()
    const ada = await under.signUp('Ada')
    const projectId = await under.project(ada, { name: 'Porcelain' })
    client = ada
    const rules = TITLES.map((title, index) => ({ id: `SV-91000${index}r1_rule`, title }))
    await store(under, { id: 'Greek_STIG', title: 'Greek', rules })
    const asked = rules.map((rule, index) => ({ ...rule, version: `SRG-APP-00091${index}` }))
    await makeComponent(under, ada, { projectId, name: 'Greek', prefix: 'GREK-00', rules: asked })
  })

  it.each([
    ['kq12v2', ['Use kq12v2 or IPv6']],
    ['KQ12V2', ['Use kq12v2 or IPv6']],
    ['kq12v', ['Use kq12v2 or IPv6']],
    ['use kq12v2', ['Use kq12v2 or IPv6']],
    ['ipv6', ['Use kq12v2 or IPv6']],
    ['TLSv1.2', ['Use TLSv1.2']],
    ['q12v2', []],
    ['zq34w5', ['zq34w5']],
    ['ZQ34w5', ['zq34w5']],
    ['"alpha x beta"', ['Alpha x beta']],
    ["'alpha x beta'", ['Alpha x beta']],
    ['"alpha x"', ['Alpha x beta']],
    ['"x alpha"', ['Beta x alpha']],
    ['"alpha x beta" porcelain', []],
    ['"alpha x beta" SV-910001', []],
    ['"use kq12"', []],
    ['"x" beta -and', ['Alpha x beta', 'Beta x alpha']],
    ['alpha x beta', ['Alpha and x and beta', 'Alpha x beta', 'Beta x alpha']],
  ])('finds %s', async (q, expected) => {
    const parameters = new URLSearchParams({ q, limit: '20' })
    const { status, body } = await client.call('GET', `/api/search/global?${parameters.toString()}`)
    expect([status, body]).toEqual([200, body])
    const found = globalSearchResult.parse(body)
    for (const group of ['rules', 'stig_rules', 'srg_rules'] as const) {
      const titles = found[group].map(({ title }) => title)
      expect([group, [...new Set(titles)].sort()]).toEqual([group, expected])
    }
  })
})
