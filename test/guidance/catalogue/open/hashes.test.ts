// @module-tag database

import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { emptyCatalogue, store, LID } from '../../../support/catalogue.ts'
import { guidanceService, type Answer } from '../../../support/guidance.ts'

const guidance = guidanceService()
const BENCHMARKS = '/api/catalogue/benchmarks'

function ask(path: string): Promise<Answer> {
  return guidance().nobody.call('GET', path)
}

beforeEach(() => emptyCatalogue(guidance()))

describe('The hashes of the open catalogue', () => {
  const hashes = z.object({ records: z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() })) })

  async function expectSame(path: string): Promise<readonly string[]> {
    const { records } = hashes.parse((await ask(path)).body)
    for (const [address, { bytes, sha256 }] of Object.entries(records)) {
      const answer = await ask(address)
      const found = { bytes: answer.bytes.length, sha256: createHash('sha256').update(answer.bytes).digest('hex') }
      expect([address, found]).toEqual([address, { bytes, sha256 }])
      expect(answer.headers.etag).toBe(`"${sha256.slice(0, 32)}"`)
    }
    return Object.keys(records)
  }

  it('list the digests of all documents of a release', async () => {
    await store(guidance(), { rules: [LID] })
    await store(guidance(), { release: '2', rules: [LID, { id: 'SV-8r1_rule' }] })
    const folder = `${BENCHMARKS}/Teapot_STIG`
    expect((await expectSame(`${folder}/V1R2/hashes.json`)).toSorted()).toEqual([
      `${folder}/V1R1/changes/V1R2.csv`,
      `${folder}/V1R1/changes/V1R2.json`,
      `${folder}/V1R2.json`,
      `${folder}/V1R2/Teapot_STIG.ckl`,
      `${folder}/V1R2/Teapot_STIG.cklb`,
      `${folder}/V1R2/Teapot_STIG.csv`,
      `${folder}/V1R2/Teapot_STIG.xml`,
      `${folder}/V1R2/rules.json`,
      `${folder}/V1R2/rules/SV-7r2_rule.json`,
      `${folder}/V1R2/rules/SV-8r1_rule.json`,
    ])
  })

  it('follow a newer release, and another content under the same version', async () => {
    await store(guidance(), { rules: [LID] })
    const path = `${BENCHMARKS}/Teapot_STIG/V1R1/hashes.json`
    const before = await ask(path)
    await store(guidance(), { release: '2' })
    await expectSame(path)
    await emptyCatalogue(guidance())
    await store(guidance(), { rules: [{ ...LID, title: 'Shut the lid well.' }] })
    await expectSame(path)
    expect((await ask(path)).body).not.toEqual(before.body)
  })

  it('list the digests of all lists, and link to the digests of each release', async () => {
    await store(guidance(), {})
    await store(guidance(), { id: 'Kettle_STIG' })
    expect(await expectSame('/api/catalogue/hashes.json')).toEqual([
      `${BENCHMARKS}.json`,
      `${BENCHMARKS}.atom`,
      `${BENCHMARKS}/Kettle_STIG.json`,
      `${BENCHMARKS}/Teapot_STIG.json`,
    ])
    expect((await ask('/api/catalogue/hashes.json')).body).toMatchObject({
      ontology: null,
      cci_list: null,
      releases: [
        { benchmark_id: 'Kettle_STIG', version: 'V1R1', hashes: `${BENCHMARKS}/Kettle_STIG/V1R1/hashes.json` },
        { benchmark_id: 'Teapot_STIG' },
      ],
    })
  })

  it('return 404 for an unknown release', async () => {
    expect((await ask(`${BENCHMARKS}/Samovar_STIG/V1R1/hashes.json`)).status).toBe(404)
  })
})
