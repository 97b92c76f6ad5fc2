import { beforeAll, describe, expect, it } from 'vitest'
import type { Release } from '../../../src/ontology/release/release.ts'
import { resolvePath } from '../../../src/ontology/render/resolve.ts'
import { refusalOf } from '../../support/refusal.ts'
import { openFixture } from '../../support/release.ts'

let release: Release
beforeAll(async () => {
  release = await openFixture('small')
})

describe('resolvePath', () => {
  it.each([
    '/api/ontology/inference/nothing',
    '/api/ontology/inference/',
    '/api/ontology/inference/x.json.json',
    '/api/dao/T1003.json',
    '/api/offensive-technique/T1003.json',
    '/api/weakness/x.json',
    `/api/weakness/${'x'.repeat(8000)}`,
    `/api/dao/${'a/'.repeat(4000)}`,
  ])('says that there is no such path (%#)', async (path) => {
    const refusal = await refusalOf(() => resolvePath(release, path))
    expect(refusal.code).toBe('route_not_found')
    expect(refusal.message).toBe(`${path} does not exist. See /api/docs for all paths.`)
    expect(refusal.members).toStrictEqual({})
  })

  it.each(['/api/matrix', '/api/dao/artifacts', '/api/ontology/inference/onto-full-mappings'])(
    'suggests %s.json',
    async (path) => {
      const refusal = await refusalOf(() => resolvePath(release, path))
      expect(refusal.code).toBe('route_not_found')
      expect(refusal.members).toStrictEqual({ did_you_mean: [`${path}.json`] })
    },
  )

  it('suggests the nearest name where the path lacks .json and the name is wrong', async () => {
    const refusal = await refusalOf(() => resolvePath(release, '/api/tactic/detekt'))
    expect(refusal.code).toBe('subject_not_found')
    expect(refusal.members).toStrictEqual({ did_you_mean: ['d3f:Detect'] })
  })
})
