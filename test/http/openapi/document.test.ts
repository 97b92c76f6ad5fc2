import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { REDIRECTION } from '../../../src/http/answer/answers.ts'
import type { Endpoint } from '../../../src/http/endpoint.ts'
import { checkShape } from '../../../src/http/input.ts'
import { CallMaker, titledCalls, type Caller } from '../../support/calls.ts'
import { SAMPLE_ONTOLOGY } from '../../support/catalogue-samples.ts'
import type { Form } from '../../support/form.ts'
import { guidanceService } from '../../support/guidance.ts'
import { oddity, placesOf, withOddity } from '../../support/odd-input.ts'
import { runs } from '../../support/runs.ts'
import { jsonOf } from '../../support/service.ts'

const schemaObject = z.record(z.string(), z.unknown())
const content = z.record(z.string(), z.object({ schema: schemaObject }))

const operationObject = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: schemaObject })),
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.optional() })),
})

const documentObject = z.object({
  paths: z.record(z.string(), schemaObject),
  components: z.object({
    schemas: z.record(z.string(), schemaObject),
    securitySchemes: z.record(z.string(), schemaObject),
  }),
})

const guidance = guidanceService({ SERVICE_LOCKOUT_ENABLED: 'false' }, undefined, SAMPLE_ONTOLOGY)

let maker: CallMaker
let admin: Caller
let document: z.infer<typeof documentObject>

beforeAll(async () => {
  maker = new CallMaker(guidance())
  admin = await maker.session(true)
  document = documentObject.parse(jsonOf(await guidance().service.get('/api/openapi.json')))
})

/** Odd values there are wrong credentials like any others, which the document need not say. */
const LENIENT = new Set(['signIn', 'signInWithLdap', 'createToken'])

/** Operations whose stored texts may be longer than the document allows for new ones. */
const STORED = new Set(['createRule', 'updateRule', 'editRules'])

const calls = titledCalls()
const withBody = calls.filter(([, { method }]) => method !== 'GET')

describe('The OpenAPI document of the guidance service', () => {
  it('is valid OpenAPI 3.1', async () => {
    const sent = z.looseObject({}).parse(jsonOf(await guidance().service.get('/api/openapi.json')))
    const { valid, errors } = await new Validator().validate(sent)
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  })

  it('has each method of each endpoint under a unique id', () => {
    const ids = endpoints().flatMap((endpoint) =>
      endpoint.methods.map((method) => operationAt(endpoint.path, method).operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(endpoints().map(({ operation }) => operation)))
  })

  it('states how each operation authenticates, with schemes that it defines', () => {
    const { securitySchemes } = document.components
    expect(securitySchemes).toMatchObject({
      session: { type: 'apiKey', in: 'cookie', name: guidance().service.guidance.cookie },
      token: { type: 'apiKey', in: 'header', name: 'Authorization' },
    })
    const expected = {
      none: [],
      any: [{ session: [] }, { token: [] }],
      session: [{ session: [] }],
      optional: [{}, { session: [] }, { token: [] }],
    }
    for (const { path, methods, access } of endpoints())
      for (const method of methods) expect(operationAt(path, method).security).toEqual(expected[access.authentication])
  })

  it('names each parameter of a path and of a query, and the header of a write by session', () => {
    for (const endpoint of endpoints())
      for (const method of endpoint.methods) {
        const { parameters } = operationAt(endpoint.path, method)
        expect(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).toEqual(
          parametersOf(endpoint, method),
        )
        for (const parameter of parameters) {
          expect(parameter.required || parameter.in !== 'path').toBe(true)
          expect(['string', 'integer']).toContain(parameter.schema['type'])
        }
      }
  })

  it('lists required query parameters, and JSON-LD as an object or an array', () => {
    const required = ([path, name]: readonly [string, string]): unknown =>
      operationAt(path, 'get').parameters.find((parameter) => parameter.name === name)?.required
    const needed = [
      ['/search/rules', 'q'],
      ['/api/related', 'iri'],
      ['/api/users/search', 'membership_id'],
      ['/components/history', 'name'],
    ] as const
    expect(needed.map(required)).toEqual([true, true, true, true])
    const { content: documents } = operationAt('/ns/guidance', 'get').responses['200'] ?? {}
    expect(documents?.['application/ld+json']?.schema).toEqual({ type: ['object', 'array'] })
    const [limit] = operationAt('/api/search/suggest', 'get').parameters.slice(-1)
    expect(limit?.schema).toMatchObject({ type: 'integer', minimum: 1, default: 10 })
  })

  it('leaves no type open and has no dangling reference', () => {
    const { schemas } = document.components
    const operations = endpoints().flatMap(({ path, methods }) => methods.map((method) => operationAt(path, method)))
    expect(openPlaces([operations, schemas], [])).toEqual([])
    const text = JSON.stringify([operations, schemas])
    expect(text).not.toContain('$defs')
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(schemas).toHaveProperty([name])
  })
})

describe('The schema of a request', () => {
  it.for(withBody)('to %s accepts a valid body and rejects shapeless ones', async ([, call]) => {
    const endpoint = maker.endpoint(call)
    const validating = endpoint.input.shape.body
    const { requestBody } = operationAt(call.path, call.method)
    expect(requestBody === undefined).toBe(validating === undefined)
    if (validating === undefined) return
    const taken = (sent: unknown): boolean =>
      validating.safeParse(sent).success && (endpoint.upload !== true || hasFile(sent))
    const request = await maker.request(call, admin.person)
    const { form } = request
    const documented = schemaIn(requestBody?.content, form === undefined ? JSON_TYPE : FORM_TYPE)
    const body = form === undefined ? request.body : bodyOf(form)
    expect(documented.safeParse(body).success).toBe(true)
    for (const odd of [null, [], 'a', 7, true]) expect(documented.safeParse(odd).success).toBe(false)
    if (LENIENT.has(endpoint.operation) || STORED.has(endpoint.operation)) return
    // A form in the place of JSON has rules of its own, which its own tests try.
    if (form !== undefined && endpoint.upload === 'optional') return
    fc.assert(
      fc.property(oddity, (odd) => {
        const text = withOddity(body, odd)
        const sent = parsed(text)
        if (sent === undefined) expect(requestBody?.required).toBe(!taken(sent))
        else if (isShaped(sent) && taken(sent))
          expect(documented.safeParse(parsed(text, dropPrototype)).success).toBe(true)
      }),
      { numRuns: runs(12) },
    )
    placesOf(body).forEach((path, index) => {
      if (path.length === 0) return
      const sent = parsed(withOddity(body, { place: index, kind: 'remove', name: '', value: '' }))
      expect([path, documented.safeParse(sent).success]).toEqual([path, taken(sent)])
    })
  })
})

describe('An answer', () => {
  // That it is one of those that are described, every exchange of the tests shows.
  it.for(calls)('to %s has the status of a success', async ([, call]) => {
    const client = maker.isSpending(call) ? (await maker.session(true)).client : admin.client
    const request = await maker.request(call, admin.person)
    const { status } = await client.call(call.method, request.address, request)
    const { responses } = operationAt(call.path, call.method)
    const { answer, created = false } = maker.endpoint(call)
    const success = answer === REDIRECTION ? '303' : created ? '201' : '200'
    expect(responses).toHaveProperty([success])
    if (status < 300) expect(responses).toHaveProperty([String(status)])
  })
})

function endpoints(): readonly Endpoint[] {
  return guidance().service.guidance.endpoints
}

function parametersOf(endpoint: Endpoint, method: string): readonly string[] {
  const { path, access, input, headers = [] } = endpoint
  const { query } = input.shape
  const names = query instanceof z.ZodObject ? Object.keys(query.shape) : []
  const isWrite = method !== 'get' && access.authentication !== 'none'
  const isVersioned = method !== 'get' && headers.includes('ETag')
  return [
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => `path ${name ?? ''}`),
    ...names.map((name) => `query ${name}`),
    ...(isWrite ? ['header X-CSRF-Token'] : []),
    ...(isVersioned ? ['header If-Match'] : []),
  ]
}

function operationAt(path: string, method: string): z.infer<typeof operationObject> {
  return operationObject.parse(document.paths[path]?.[method.toLowerCase()])
}

/** The schema of JSON, made to check with, together with all that it refers to. */
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'

/** The schema of a media type, or the only schema. */
function schemaIn(described: z.infer<typeof content> | undefined, mediaType = ''): z.ZodType {
  const media = described?.[mediaType] ?? Object.values(described ?? {})[0]
  const $defs = Object.fromEntries(referredTo(media?.schema ?? {}, new Map()))
  const text = JSON.stringify({ ...media?.schema, $defs }).replaceAll(COMPONENTS, '#/$defs/')
  return z.fromJSONSchema(schemaObject.parse(JSON.parse(text)))
}

const COMPONENTS = '#/components/schemas/'

/** The schemas that a schema refers to, directly or through others. */
function referredTo(schema: object, schemas: Map<string, unknown>): ReadonlyMap<string, unknown> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(REFERENCE)) {
    if (schemas.has(name)) continue
    const other = document.components.schemas[name]
    schemas.set(name, other)
    referredTo(other ?? {}, schemas)
  }
  return schemas
}

const REFERENCE = new RegExp(`"${COMPONENTS}([^"]+)"`, 'g')

/** The values of a form; a file is a text to a schema. */
function bodyOf({ fields, file }: Form): Readonly<Record<string, unknown>> {
  return { ...fields, file: file.toString() }
}

function hasFile(sent: unknown): boolean {
  return z.object({ file: z.string() }).safeParse(sent).success
}

function parsed(text: string, revive?: (key: string, value: unknown) => unknown): unknown {
  return text === '' ? undefined : JSON.parse(text, revive)
}

/** zod leaves this key alone wherever any key may be; JSON Schema knows no such exception. */
function dropPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

/** Places in the document where a schema allows anything. */
function openPlaces(node: unknown, place: readonly string[]): readonly string[] {
  if (typeof node !== 'object' || node === null) return []
  const [last = '', before = ''] = [...place].reverse()
  const isSchema = ['schema', 'items', 'not'].includes(last) || before === 'properties'
  if (isSchema && Object.keys(node).length === 0) return [place.join('/')]
  return Object.entries(node).flatMap(([name, member]) => openPlaces(member, [...place, name]))
}

function isShaped(body: unknown): boolean {
  try {
    checkShape(body)
    return true
  } catch {
    return false
  }
}
