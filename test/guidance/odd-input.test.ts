import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CallMaker, titledCalls, type Call, type Caller } from '../support/calls.ts'
import { SAMPLE_ONTOLOGY } from '../support/catalogue-samples.ts'
import type { Form } from '../support/form.ts'
import { guidanceService, type Client } from '../support/guidance.ts'
import {
  formOddity,
  ODD_TEXTS,
  oddity,
  placesOf,
  shortOddText,
  TRICKY_JSON,
  TRICKY_TEXTS,
  withFormOddity,
  withOddity,
} from '../support/odd-input.ts'
import { rawRequest, sendRaw, type RawAnswer } from '../support/raw-request.ts'
import { runs, someOf } from '../support/runs.ts'

/** Nobody is locked out: what comes after the password is meant, too. */
const guidance = guidanceService({ SERVICE_LOCKOUT_ENABLED: 'false' }, undefined, SAMPLE_ONTOLOGY)

const calls = titledCalls()

let maker: CallMaker
let admin: Caller

beforeAll(async () => {
  maker = new CallMaker(guidance())
  admin = await maker.session(true)
})

afterEach(async () => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect((await guidance().nobody.call('GET', '/api/settings')).status).toBe(200)
})

describe('A request in which one thing is odd', () => {
  it.for(calls)('to %s gets a documented answer', async ([, call]) => {
    const { input, upload = false } = maker.endpoint(call)
    const odd = fc.record({
      body: 'body' in input.shape && upload !== true ? oddity : fc.constant(null),
      form: upload !== false ? formOddity : fc.constant(null),
      query: 'query' in input.shape ? oddQuery(call) : fc.constant(''),
      param: 'params' in input.shape ? fc.option(shortOddText, { freq: 3 }) : fc.constant(null),
    })
    let whole: Prepared | null = null
    await fc.assert(
      fc.asyncProperty(odd, async ({ body, form, query, param }) => {
        // A refused request uses nothing up, so the prepared records serve again.
        whole ??= await prepared(call)
        const { client, request } = whole
        const path = param === null ? request.address : withOddParam(call.path, param)
        const answer = await client.call(call.method, `${path}${query}`, {
          body: body === null ? request.body : withOddity(request.body, body),
          form: request.form && withFormOddity(request.form, form ?? {}),
        })
        expect(answer.status).toBeLessThan(500)
        if (answer.status < 400) whole = null
      }),
      { numRuns: runs(1) },
    )
  })
})

describe('A text that is hard to store', () => {
  it.for(calls)('at any place of %s gets a documented answer', async ([, call]) => {
    const { client, request } = await prepared(call)
    const { address, body, form } = request
    const turn = calls.findIndex(([, other]) => other === call)
    const queries = namesOf(maker.endpoint(call).input.shape.query).flatMap((name, index) =>
      trickyAt(TRICKY_TEXTS, turn + index).map((text) => `&${name}=${encodeText(text)}`),
    )
    const bodies = placesOf(body).flatMap((_path, place) =>
      trickyAt(TRICKY_JSON, turn + place).map((value) => withOddity(body, { place, kind: 'replace', name: '', value })),
    )
    const requests = [
      ...queries.map((query) => [`${address}${query}`, { body, form }] as const),
      ...(body === undefined ? [] : bodies).map((odd) => [address, { body: odd }] as const),
      ...(form === undefined ? [] : trickyForms(form)).map((odd) => [address, { form: odd }] as const),
    ]
    for (const [path, sent] of requests) {
      const { status } = await client.call(call.method, path, sent)
      expect([path, sent, status < 500]).toEqual([path, sent, true])
    }
  })
})

/** Texts that databases reject are tried at every place; the others in turns. */
function trickyAt(values: readonly string[], turn: number): readonly string[] {
  const [nul = '', surrogate = '', ...others] = values
  return [nul, surrogate, ...someOf(others, 1, turn)]
}

function trickyForms(form: Form): readonly Form[] {
  return TRICKY_TEXTS.flatMap((text) => [
    { ...form, fileName: text },
    { ...form, file: text },
    ...Object.keys(form.fields ?? {}).map((name) => withFormOddity(form, { fields: { [name]: text } })),
  ])
}

describe('A very long request', () => {
  const ten = 'x'.repeat(10_000_000)

  it('is refused because of its body', async () => {
    for (const [path, body] of [
      ['/api/auth/login', { email: 'a@example.org', password: ten }],
      ['/projects', { project: { name: ten } }],
      ['/users', { user: { name: ten } }],
    ] as const) {
      const { status, body: problem } = await admin.client.call('POST', path, { body })
      expect({ status, problem }).toMatchObject({ status: 413, problem: { code: 'body_too_large' } })
    }
  })

  it.each([
    ['query', `/api/projects?q=${'x'.repeat(9000)}`, 401],
    ['query', `/api/projects?q=${'x'.repeat(30_000)}`, 431],
    ['path', `/projects/${'1'.repeat(9000)}`, 401],
    ['path', `/${'x/'.repeat(4000)}`, 404],
    ['path', `/projects/${'1'.repeat(30_000)}`, 431],
  ])('is refused because of its %s', async (_part, path, status) => {
    const answer = await sendRaw(guidance().service.baseUrl, rawRequest('GET', path))
    expect(answer.status).toBe(status)
  })

  it.each([
    ['Authorization', `Token ${'x'.repeat(8000)}`, 401],
    ['Authorization', `Token ${'x'.repeat(20_000)}`, 431],
    ['Cookie', `parapet=${'x'.repeat(8000)}`, 401],
    ['X-Forwarded-For', '1.2.3.4, '.repeat(1000), 401],
  ])('is refused because of its %s', async (name, value, status) => {
    const request = rawRequest('GET', '/api/auth/me', { [name]: value })
    expect((await sendRaw(guidance().service.baseUrl, request)).status).toBe(status)
  })
})

describe('An odd path', () => {
  it.each([
    '/projects/%',
    '/projects/%zz',
    '/projects/%ff',
    '/projects/%c0%ae',
    '/projects/%ed%a0%80',
    '/projects/%00',
    '/projects/%0d%0aX: 1',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/projects/..%2f..',
    '//projects',
    '/projects//1',
    '/projects/1/',
    '/Projects',
    '/projects/1;a=b',
    '/projects/ 1',
    '/projects?%',
    '/projects?q=%ff',
    '/projects?=&&==',
    '/api/projects?__proto__[a]=b',
    '*',
    'projects',
    'http://example.org/projects',
    '/projects#a',
    '/projects?a?b',
    '/projects/\x01',
    '/projects/\x7f',
    '/projects/é',
    '/projects/1e0',
    '/projects/+1',
  ])('%j is answered', async (path) => {
    const answer = await sendRaw(guidance().service.baseUrl, rawRequest('GET', path))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    if (answer.status !== 400 || answer.body !== '') expectProblem(answer)
  })
})

describe('An odd header', () => {
  const headers = ['Cookie', 'X-CSRF-Token', 'If-Match', 'X-Forwarded-For', 'X-Forwarded-Proto']

  it.each(headers)('%s does not bring the service down', async (name) => {
    const latin = ODD_TEXTS.filter((text) => /^[\x20-\xff]*$/.test(text))
    const { id } = z.object({ id: z.int() }).parse((await admin.client.call('POST', '/projects', PROJECT)).body)
    for (const text of [...latin, 'parapet=s%3Ax.y', 'parapet=j:{"a":1}', 'W/"0"', '"0", "1"'])
      for (const [method, sent] of [['GET', {}] as const, ['PUT', PROJECT] as const]) {
        const answer = await admin.client.call(method, `/projects/${id}`, { ...sent, headers: { [name]: text } })
        expect(answer.status).toBeLessThan(500)
      }
  })
})

interface Prepared {
  readonly client: Client
  readonly request: Awaited<ReturnType<CallMaker['request']>>
}

async function prepared(call: Call): Promise<Prepared> {
  const { client, person } = await callerFor(call)
  return { client, request: await maker.request(call, person) }
}

const PROJECT = { body: { project: { name: 'For odd headers' } } }

async function callerFor(call: Call): Promise<Caller> {
  if (call.authentication === 'none') return { ...admin, client: guidance().nobody }
  const isUsedUp = maker.isSpending(call) || call.path.startsWith('/personal_access_tokens')
  return isUsedUp ? maker.session(true) : admin
}

/** Every parameter of the path is what is odd. */
function withOddParam(path: string, text: string): string {
  return path.replaceAll(/\{\w+\}/g, () => encodeText(text))
}

/** More of the query: for each name, what comes later counts. */
function oddQuery(call: Call): fc.Arbitrary<string> {
  const names = [...namesOf(maker.endpoint(call).input.shape.query), '__proto__', 'q[]', 'q[a]', '']
  const pair = fc.tuple(fc.constantFrom(...names), shortOddText)
  return fc
    .array(pair, { minLength: 1, maxLength: 4 })
    .map((pairs) => `&${pairs.map((parts) => parts.map(encodeText).join('=')).join('&')}`)
}

function namesOf(schema: z.ZodType | undefined): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

/** Halves of characters go out as UTF-8 that is none. */
function encodeText(text: string): string {
  const bytes = !/\p{Surrogate}/u.test(text) ? Buffer.from(text) : Buffer.from([0xed, 0xa0, 0x80])
  return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

function expectProblem({ status, head, body }: RawAnswer): void {
  expect(head).toMatch(/^content-type: application\/problem\+json; charset=utf-8$/im)
  expect(JSON.parse(body)).toMatchObject({ status })
}
