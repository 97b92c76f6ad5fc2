// @module-tag node

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { plainFault } from '../../src/http/plain-faults.ts'

const LETTERS = Array.from({ length: 30 }, (_, index) => `letter${index}`)

/** The messages about a body that a schema rejects. */
function faultsOf(schema: z.ZodType, value: unknown): readonly string[] {
  const { error } = z.object({ body: schema }).safeParse({ body: value }, { error: plainFault })
  return (error?.issues ?? []).map(({ message }) => message)
}

describe('A schema issue without a message of its own', () => {
  it.each([
    [z.object({ ids: z.array(z.string()) }), { ids: ['a', 5, null] }, 'ids[1] must be a text'],
    [z.object({ ids: z.array(z.string()).min(1) }), { ids: [] }, 'ids must have at least 1 item'],
    [z.object({ ids: z.array(z.string()).max(2) }), { ids: ['', '', ''] }, 'ids must have at most 2 items'],
    [z.object({ a: z.string().max(3) }), { a: 'four' }, 'a must have at most 3 characters'],
    [z.object({ a: z.int().min(1) }), { a: 0 }, 'a must be at least 1'],
    [z.object({ a: z.int() }), { a: 1.5 }, 'a must be a whole number'],
    [z.object({ a: z.object({ b: z.boolean() }) }), { a: {} }, 'a.b is missing'],
    [z.object({ a: z.enum(['x', 'y']) }), { a: 'z' }, 'a must be one of x, y'],
    [z.object({ a: z.literal('x') }), { a: 'z' }, 'a must be x'],
    [z.object({ a: z.enum(LETTERS) }), { a: 'z' }, /letter0, .*letter19 …$/],
    [z.strictObject({ a: z.string() }), { a: '', b: 1 }, 'has unknown members: b'],
    [z.object({ a: z.uuid() }), { a: 'z' }, 'a does not have the expected form'],
    [z.object({ a: z.union([z.string(), z.int()]) }), { a: true }, 'a is not valid: must be a text; must be a number'],
    [
      z.union([z.object({ code: z.string() }), z.object({ passkey: z.object({}) })]),
      { passkey: 5 },
      'is not valid: code is missing; passkey must be an object',
    ],
    [z.object({ a: z.record(z.string(), z.int()) }), { a: [] }, 'a must be an object'],
  ])('is reported with its place in plain words: %#', (schema, value, said) => {
    const message = faultsOf(schema, value)[0]
    expect(message).toEqual(typeof said === 'string' ? said : expect.stringMatching(said))
  })

  it('in a query does not repeat the name of the parameter', () => {
    const schema = z.object({ query: z.object({ q: z.string().max(2) }) })
    const { error } = schema.safeParse({ query: { q: 'long' } }, { error: plainFault })
    expect(error?.issues[0]?.message).toBe('must have at most 2 characters')
  })

  it('uses the text of the schema if there is one', () => {
    expect(faultsOf(z.object({ a: z.string('A is odd') }), { a: 5 })).toEqual(['A is odd'])
  })
})
