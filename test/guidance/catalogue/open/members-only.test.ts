import { beforeAll, describe, expect, it } from 'vitest'
import { storeAttack } from '../../../support/attack-bundle.ts'
import { store } from '../../../support/catalogue.ts'
import { storeCwe } from '../../../support/cwe.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'
import { cciList, storeCciList, storeOscal } from '../../../support/reference-data.ts'

const open = guidanceService()
const closed = guidanceService({ SERVICE_CATALOGUE_PUBLIC: 'false' })

const PATHS = [
  '/api/catalogue/benchmarks.json',
  '/api/catalogue/benchmarks.atom',
  '/api/catalogue/benchmarks/Teapot_STIG.json',
  '/api/catalogue/benchmarks/Teapot_STIG/V1R1.json',
  '/api/catalogue/benchmarks/Teapot_STIG/V1R1/Teapot_STIG.xml',
  '/api/stigs/latest',
  '/api/search/unified?q=teapot',
  '/benchmarks/Teapot_STIG',
  '/benchmarks/Teapot_STIG/V1R1',
  '/requirements/SRG-TEA-000001',
  '/api/catalogue/ccis/CCI-000366.json',
  '/api/catalogue/controls/AC-2.json',
  '/api/catalogue/attack/T9001.json',
  '/api/catalogue/cwe/CWE-901.json',
  '/ccis/CCI-000366',
  '/controls/AC-2',
  '/attack/T9001',
  '/cwe/CWE-901',
  '/api/batch?ids=T9001',
]

/** The tags of operations that a visitor may call. */
function openTags(service: typeof open): readonly string[] {
  return service()
    .service.guidance.endpoints.filter(({ access }) => ['none', 'optional'].includes(access.authentication))
    .map(({ tag }) => tag)
}

describe('SERVICE_CATALOGUE_PUBLIC=false', () => {
  beforeAll(async () => {
    for (const service of [open, closed]) {
      await store(service(), {})
      const { database } = service().service.guidance
      await storeCciList(database, cciList())
      await storeOscal(database)
      await storeAttack(database)
      await storeCwe(database)
      await service().person('Ann')
    }
  })

  it.each(PATHS)('requires visitors of %s to sign in', async (path) => {
    expect((await open().nobody.call('GET', path)).status).toBe(200)
    const { status, headers } = await closed().nobody.call('GET', path)
    expect(status).toBe(401)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    const member = await closed().signIn('ann@example.org')
    const answer = await member.call('GET', path)
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('leaves visitors nothing but accounts and the state of the instance', () => {
    expect(new Set(openTags(closed))).toEqual(new Set(['Accounts', 'Authentication', 'Instance']))
  })

  it('keeps benchmarks and reference data out of SPARQL', async () => {
    const graphs = await closed().service.guidance.publicGraphs.list()
    expect(graphs).toEqual([])
    const names = (await open().service.guidance.publicGraphs.list()).map(({ iri }) => iri)
    for (const kind of ['cci_list', 'sp800_53', 'attack', 'cwe'])
      expect(names).toContainEqual(containing(`/reference-data/${kind}/`))
  })
})
