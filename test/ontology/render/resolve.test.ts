import { beforeAll, describe, expect, it } from 'vitest'
import type { Release } from '../../../src/ontology/release/release.ts'
import { isRequestable, isOntologyPath, isRecordPath, resolvePath } from '../../../src/ontology/render/resolve.ts'
import { refusalOf } from '../../support/refusal.ts'
import { openFixture } from '../../support/release.ts'

const D3F = 'http://d3fend.mitre.org/ontologies/d3fend.owl#'

let release: Release
beforeAll(async () => {
  release = await openFixture('small')
})

describe('resolvePath', () => {
  it('finds a document by its path', () => {
    expect(resolvePath(release, '/api/matrix.json')).toMatchObject({ view: { path: '/api/matrix.json' }, iri: null })
  })

  it.each(['d3f:Detect', 'd3f%3ADetect', `${D3F}Detect`, encodeURIComponent(`${D3F}Detect`)])(
    'finds a record by its name %s',
    (name) => {
      const { view, iri } = resolvePath(release, `/api/tactic/${name}.json`)
      expect([view.path, iri]).toEqual(['/api/tactic/{tactic}.json', `${D3F}Detect`])
    },
  )

  it.each([
    ['/api/tactic/.json', 'route_not_found', /^The path names no tactic: /],
    [`/api/tactic/${'x'.repeat(1025)}.json`, 'identifier_too_long', /^The tactic has 1025 characters; at most 1024 /],
    [`/api/tactic/${'x'.repeat(1024)}.json`, 'subject_not_found', /^There is no tactic "x+" in release [\d.]+\.$/],
    ['/api/tactic/nope:Detect.json', 'unknown_prefix', /^The prefix "nope" is not known; known are .*d3f/],
    [
      '/api/tactic/d3f:Detekt.json',
      'subject_not_found',
      /^There is no tactic "d3f:Detekt" in release [\d.]+\. Did you mean \/api\/tactic\/d3f:Detect\.json\?$/,
    ],
    [
      '/api/offensive-technique/attack/T9999.json',
      'subject_not_found',
      /^There is no attack "T9999" in release [\d.]+\./,
    ],
    ['/api/matrix', 'route_not_found', /^\/api\/matrix does not exist\. Did you mean \/api\/matrix\.json\?$/],
  ])('refuses %.40s with %s', async (path, code, message) => {
    const refusal = await refusalOf(() => resolvePath(release, path))
    expect(refusal.code).toBe(code)
    expect(refusal.message).toMatch(message)
  })

  it('refers to a record of another kind', async () => {
    const refusal = await refusalOf(() => resolvePath(release, '/api/technique/d3f:Detect.json'))
    expect(refusal.message).toContain(' It is another kind of record: see /api/ontology/describe/d3f:Detect.json.')
  })
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

  it('suggests the nearest name, if there is one, also if the path lacks .json', async () => {
    const refusal = await refusalOf(() => resolvePath(release, '/api/tactic/detekt'))
    expect(refusal.code).toBe('subject_not_found')
    expect(refusal.members).toStrictEqual({ did_you_mean: ['d3f:Detect'] })
    const unlike = await refusalOf(() => resolvePath(release, '/api/tactic/d3f:qqqqqqqqqqqqqqqqqqqqqqq.json'))
    expect(unlike.members).toStrictEqual({})
  })
})

describe('A path', () => {
  it.each([
    ['/api/matrix.json', true],
    ['/api/tactic/x', true],
    ['/api/settings', false],
    ['/x/api/tactic/', false],
  ])('%s belongs to the ontology: %s', (path, belongs) => {
    expect(isOntologyPath(path)).toBe(belongs)
  })

  it.each([
    ['/api/tactic/d3f:Detect.json', true],
    ['/api/ontology/describe/d3f:Detect.json', true],
    ['/api/matrix.json', false],
    ['/api/dao/artifacts.json', false],
    ['/x/api/tactic/d3f:Detect.json', false],
  ])('%s is that of a record: %s', (path, isRecord) => {
    expect(isRecordPath(path)).toBe(isRecord)
  })

  it.each([
    ['', false],
    ['a', true],
    ['a\nb', false],
    ['a\u007fb', false],
    ['x'.repeat(1024), true],
    ['x'.repeat(1025), false],
  ])('can have the name %j: %s', (name, can) => {
    expect(isRequestable(name)).toBe(can)
  })
})
