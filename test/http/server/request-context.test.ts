// @module-tag node

import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { contextOf } from '../../../src/http/server/request-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

function request(headers: Readonly<Record<string, string>>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers })
}

describe('The id of a request', () => {
  it.for([
    [{ 'x-request-id': 'abc-123_x.y:z' }, 'abc-123_x.y:z'],
    [{ traceparent: `00-${TRACE}-00f067aa0ba902b7-01` }, TRACE],
    [{ 'x-request-id': 'from-a-proxy', traceparent: `00-${TRACE}-00f067aa0ba902b7-01` }, 'from-a-proxy'],
  ] as const)('is taken from %o', ([headers, id]) => {
    expect(contextOf(request(headers)).id).toBe(id)
  })

  it.for([
    {},
    { 'x-request-id': 'short' },
    { 'x-request-id': 'x'.repeat(129) },
    { 'x-request-id': 'with blanks in it' },
    { 'x-request-id': '"}{"level":60' },
    { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` },
    { traceparent: `00-${TRACE}-${'0'.repeat(16)}-01` },
    { traceparent: TRACE },
  ])('is a new one for %o', (headers) => {
    expect(contextOf(request(headers)).id).toMatch(UUID)
  })

  it('stays the same during a request and is unique', () => {
    const [first, second] = [request({}), request({})]
    expect(contextOf(first)).toBe(contextOf(first))
    expect(contextOf(first).id).not.toBe(contextOf(second).id)
  })
})
