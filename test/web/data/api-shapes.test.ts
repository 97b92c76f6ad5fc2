import { describe, expect, it } from 'vitest'
import { filterPaths, locate, shapeApi, type OpenApiDocument } from '../../../src/web/application/data/api/document.ts'
import { LANGUAGES, requestOf } from '../../../src/web/application/data/api/request.ts'
import { fieldsOf, skeletonOf, typeOf } from '../../../src/web/application/data/api/schema.ts'

const operation = (operationId: string, tag: string): OpenApiDocument['paths'][string][string] => ({
  operationId,
  tags: [tag],
  summary: `Does ${operationId}`,
  responses: {},
})

const DOCUMENT: OpenApiDocument = {
  paths: {
    '/api/matrix.json': { get: operation('getMatrix', 'Ontology') },
    '/releases/{version}/api/matrix.json': { get: operation('getReleaseMatrix', 'Ontology') },
    '/releases/{version}/manifest.json': { get: operation('getManifest', 'Releases') },
    '/rules/{id}': {
      get: operation('getRule', 'Rules'),
      put: operation('updateRule', 'Rules'),
      patch: operation('updateRule_2', 'Rules'),
    },
    '/users': { post: operation('signUp', 'Accounts'), get: operation('listUsers', 'User administration') },
    '/odd': { get: operation('getOdd', 'Something new') },
  },
  components: { schemas: {} },
}
const SECTIONS = shapeApi(DOCUMENT)

describe('The operations of the API', () => {
  it('are in sections, each path once, without copies below a release', () => {
    const groups = SECTIONS.map(({ title, groups }) => [title, groups.map(({ tag, count }) => [tag, count])])
    expect(groups).toEqual([
      [
        'Read the ontology',
        [
          ['Ontology', 1],
          ['Releases', 1],
        ],
      ],
      ['Write guidance', [['Rules', 2]]],
      ['Sign in', [['Accounts', 2]]],
      ['Others', [['Something new', 1]]],
    ])
    const paths = SECTIONS.flatMap((section) =>
      section.groups.flatMap(({ entries }) => entries.map(({ path }) => path)),
    )
    expect(new Set(paths).size).toBe(paths.length)
  })

  it('show equivalent methods as one operation', () => {
    const [rules] = filterPaths(SECTIONS, '/rules')
    expect(rules?.operations.map(({ method, aliases }) => [method, aliases])).toEqual([
      ['get', []],
      ['put', ['patch']],
    ])
  })

  it.each([
    ['#getRule', null, 'Rules', 'getRule'],
    ['#/Rules/getRule', null, 'Rules', 'getRule'],
    ['#/Something%20new/getOdd', null, 'Something new', 'getOdd'],
    ['#/Something%20new', null, 'Something new', null],
    ['', 'Releases', 'Releases', null],
    ['', null, null, null],
    ['#nothing', null, null, null],
  ])('are found by the anchor "%s" and the group %s', (hash, group, tag, name) => {
    expect(locate(SECTIONS, hash, group)).toEqual({ tag, operation: name })
  })

  it('are filtered by all words of path, method and summary', () => {
    expect(filterPaths(SECTIONS, 'does GETmatrix').map(({ path }) => path)).toEqual(['/api/matrix.json'])
    expect(filterPaths(SECTIONS, 'get nothing')).toEqual([])
  })
})

describe('A request', () => {
  const get = {
    ...operation('getRule', 'Rules'),
    method: 'get',
    path: '/rules/{id}',
    aliases: [],
    security: [{ session: [] }, { token: [] }],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: {} },
      { name: 'q', in: 'query', required: false, schema: {} },
    ],
  } as const

  it('has its parameters in path and query, encoded, and a token where an account is needed', () => {
    const request = requestOf(get, { 'path.id': 'd3f:A/b', 'query.q': 'x & y' }, null)
    expect(request.path).toBe('/rules/d3f:A%2Fb?q=x+%26+y')
    expect(request.headers).toEqual([['Authorization', 'Token YOUR_TOKEN']])
    expect(requestOf({ ...get, security: [{}, { token: [] }] }, {}, null)).toMatchObject({
      path: '/rules/{id}',
      headers: [],
    })
  })

  it('is written for a shell with safe quotes', () => {
    const request = requestOf({ ...get, method: 'post', security: [] }, { 'path.id': '7' }, `{"a":"it's"}`)
    expect(LANGUAGES['curl']?.('http://x', request)).toBe(
      String.raw`curl -X POST http://x/rules/7 \
  -H 'Content-Type: application/json' \
  -d '{"a":"it'\''s"}'`,
    )
  })
})

describe('A schema', () => {
  const schemas = {
    Node: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      },
      required: ['name'],
    },
  }
  const node = { $ref: '#/components/schemas/Node' }

  it('has fields with their types; recursive ones are opened on demand', () => {
    const [name, children] = fieldsOf({ type: 'array', items: node }, schemas)
    expect(name).toMatchObject({ name: 'name', type: 'string', isRequired: true, within: null })
    expect(children).toMatchObject({ type: 'list of object', isRequired: false })
    expect(fieldsOf(children?.within ?? {}, schemas).length).toBe(2)
  })

  it('is named in words', () => {
    expect(typeOf({ anyOf: [{ type: 'integer' }, { type: 'null' }] }, {})).toBe('integer or null')
    expect(typeOf({ enum: ['a', 'b'] }, {})).toBe('"a" | "b"')
  })

  it('makes a body from its required fields', () => {
    expect(skeletonOf({ allOf: [node, { properties: { n: { type: 'integer' } }, required: ['n'] }] }, schemas)).toEqual(
      {
        name: '…',
        n: 1,
      },
    )
  })
})
