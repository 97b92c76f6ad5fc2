import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { CallMaker, titledCalls, type Call, type Caller } from '../support/calls.ts'
import { guidanceService } from '../support/guidance.ts'
import { someOf } from '../support/runs.ts'

const guidance = guidanceService({ SERVICE_LOCKOUT_ENABLED: 'false' })

let maker: CallMaker
let admin: Caller

beforeAll(async () => {
  maker = new CallMaker(guidance())
  admin = await maker.session(true)
})

const writes = titledCalls().filter(([, { method }]) => method !== 'GET')

describe('The right body, sent in an odd way,', () => {
  it.for(writes)('to %s is read or refused', async ([, call]) => {
    const { input, upload = false } = maker.endpoint(call)
    if (!('body' in input.shape)) return
    const deliveries = waysFor(call, upload)
    const found: Record<string, unknown> = {}
    for (const [name, way] of deliveries) found[name] = await deliver(call, way)
    if (upload === true) {
      const noForm = deliveries.map(([name]) => [name, name === FORM ? 400 : 415])
      expect(found).toEqual(Object.fromEntries(noForm))
      return
    }
    const plain = await deliver(call, way('read', JSON_TYPE))
    const empty = await deliver(
      call,
      way('read', JSON_TYPE, () => Buffer.from('{}')),
    )
    const statuses = { read: plain, empty }
    const expected = deliveries.map(([name, { outcome }]) => {
      if (upload === 'optional' && name === FORM) return [name, 400]
      return [name, typeof outcome === 'string' ? statuses[outcome] : outcome]
    })
    expect(found).toEqual(Object.fromEntries(expected))
  })
})

/** One reader stands before all endpoints that take the same: it is tried whole on one of each kind. */
const tried = new Set<unknown>()

function waysFor(call: Call, upload: unknown): readonly (readonly [string, Way])[] {
  const entries = Object.entries(WAYS)
  if (tried.has(upload))
    return someOf(
      entries,
      1,
      writes.findIndex(([, write]) => write === call),
    )
  tried.add(upload)
  return entries
}

const FORM = 'as a multipart form'
const JSON_TYPE = { 'Content-Type': 'application/json' }

interface Way {
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: (text: string) => Buffer
  /** `read`: as if it had been sent plainly; `empty`: as if it were `{}`; or the status. */
  readonly outcome: 'read' | 'empty' | number
}

function way(outcome: Way['outcome'], headers: Way['headers'], bytes: Way['bytes'] = (text) => Buffer.from(text)): Way {
  return { outcome, headers, bytes }
}

function coded(outcome: Way['outcome'], coding: string, bytes?: Way['bytes']): Way {
  return way(outcome, { ...JSON_TYPE, 'Content-Encoding': coding }, bytes)
}

const WAYS: Readonly<Record<string, Way>> = {
  'with a charset': way('read', { 'Content-Type': 'application/json; charset=UTF-8' }),
  'as UTF-16': way('read', { 'Content-Type': 'application/json; charset=utf-16le' }, (text) =>
    Buffer.from(text, 'utf16le'),
  ),
  'after a byte order mark': way('read', JSON_TYPE, (text) => Buffer.from(`\ufeff${text}`)),
  'after blanks': way('read', JSON_TYPE, (text) => Buffer.from(` \r\n\t${text}\n`)),
  gzipped: coded('read', 'gzip', gzipSync),
  'with brotli': coded('read', 'br', brotliCompressSync),
  deflated: coded('read', 'deflate', deflateSync),
  'without a type': way(415, {}),
  'as text': way(415, { 'Content-Type': 'text/plain' }),
  'as a form': way(415, { 'Content-Type': 'application/x-www-form-urlencoded' }),
  [FORM]: way(415, { 'Content-Type': 'multipart/form-data; boundary=a' }),
  'as a malformed type': way(415, { 'Content-Type': 'json' }),
  'with an unknown charset': way(415, { 'Content-Type': 'application/json; charset=utf-99' }),
  'as Latin-1': way(415, { 'Content-Type': 'application/json; charset=iso-8859-1' }),
  'in an unknown coding': coded(415, 'compress'),
  'not gzipped as it says': coded(400, 'gzip'),
  'not deflated as it says': coded(400, 'deflate', () => Buffer.from([0xff, 0xff, 0xff])),
  'not brotli as it says': coded(400, 'br'),
  'gzipped and cut off': coded(400, 'gzip', (text) => gzipSync(text).subarray(0, -9)),
  'as a bomb': coded(413, 'gzip', () => BOMB),
  'cut off': way(400, JSON_TYPE, (text) => Buffer.from(text.slice(0, -1))),
  'in single quotes': way(400, JSON_TYPE, (text) => Buffer.from(text.replaceAll('"', "'"))),
  'as NUL': way(400, JSON_TYPE, () => Buffer.from('\0')),
  'as nothing': way('empty', JSON_TYPE, () => Buffer.alloc(0)),
  'as null': way(400, JSON_TYPE, () => Buffer.from('null')),
  'as a number': way(400, JSON_TYPE, () => Buffer.from('7')),
  'as an array': way(400, JSON_TYPE, (text) => Buffer.from(`[${text}]`)),
}

const BOMB = gzipSync(Buffer.alloc(10_000_000, 0x20))

/** The status that a request gets when its body is sent in this way. */
async function deliver(call: Call, { headers, bytes }: Way): Promise<number> {
  const caller = maker.isSpending(call) ? await maker.session(true) : admin
  const request = await maker.request(call, caller.person)
  const { status } = await guidance().service.get(request.address, {
    method: call.method,
    headers: { ...(call.authentication === 'none' ? {} : caller.headers), ...headers },
    body: bytes(JSON.stringify(request.body ?? {})),
  })
  return status
}
