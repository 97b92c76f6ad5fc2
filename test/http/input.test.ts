// @module-tag node

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  checkShape,
  clampedInteger,
  dropBlanks,
  id,
  idValue,
  optionalText,
  refuseBody,
  refuseInput,
  requiredText,
  searchText,
} from '../../src/http/input.ts'
import { plainFault } from '../../src/http/plain-faults.ts'
import { foldText } from '../../src/platform/characters.ts'
import { Refusal } from '../../src/platform/errors.ts'
import { refusalOf } from '../support/refusal.ts'

describe('The number of a record', () => {
  it.each([
    ['1', 1],
    ['2147483647', 2_147_483_647],
  ])('is read from %s', (text, number) => {
    expect(id.parse(text)).toBe(number)
  })

  it.each(['0', '-1', '+1', '01', '1.0', '1e0', ' 1', '1 ', '', 'a', '2147483648', '9'.repeat(400)])(
    'is not %j',
    (text) => {
      expect(id.safeParse(text).success).toBe(false)
    },
  )

  it('in a body is a whole number that the databases can hold', () => {
    for (const odd of [0, -1, 1.5, 2_147_483_648, Infinity, NaN, '1', null])
      expect(idValue.safeParse(odd).success).toBe(false)
    expect(idValue.parse(1)).toBe(1)
  })
})

describe('A blank parameter of a query', () => {
  const schema = z.object({
    page: clampedInteger({ min: 1, max: 9, default: 3, invalid: 1 }),
    of: id.optional(),
    kind: z.enum(['a']).default('a'),
    q: searchText.optional(),
    needed: id,
    list: id.optional(),
  })

  it('counts as missing, unless blank is a value, a list, or the parameter is required', () => {
    const blank = { page: '', of: ' ', kind: '', q: '', needed: '', list: '', other: '' }
    expect(dropBlanks(blank, schema, ['list'])).toEqual({ page: '', q: '', needed: '', list: '', other: '' })
    expect(schema.shape.page.parse('')).toBe(3)
  })
})

describe('A text', () => {
  const name = requiredText('Name', { max: 5 })
  const note = optionalText('Note', { max: 5 })

  it('that is required is trimmed', () => {
    expect(name.parse('  a b ')).toBe('a b')
    expect(name.parse('     12345     ')).toBe('12345')
  })

  it.each([
    [undefined, "Name can't be blank"],
    [null, "Name can't be blank"],
    ['', "Name can't be blank"],
    [' \t\n', "Name can't be blank"],
    [7, 'Name must be a text'],
    [['a'], 'Name must be a text'],
    ['123456', 'Name is too long (maximum is 5 characters)'],
    ['a\0', 'Name has characters that cannot be stored (U+0000 at position 2)'],
    ['\ud800', 'Name has characters that cannot be stored (U+D800 at position 1)'],
    ['\u{1fad6}\ufffe', 'Name has characters that cannot be stored (U+FFFE at position 2)'],
    ['a\x0b', 'Name has characters that cannot be stored (U+000B at position 2)'],
  ])('that is needed is not %j: %s', (odd, message) => {
    expect(name.safeParse(odd).error?.issues.map((issue) => issue.message)).toEqual([message])
  })

  it('that is optional becomes null if blank and is kept otherwise', () => {
    expect([null, '', '  ', ' a '].map((text) => note.parse(text))).toEqual([null, null, null, ' a '])
    expect(note.safeParse('123456').success).toBe(false)
    expect(note.safeParse('\0').success).toBe(false)
    expect(note.safeParse(undefined).success).toBe(false)
  })

  it('is folded to the same in any letter case and form', () => {
    expect(foldText('É')).toBe(foldText('e\u0301'))
    expect(foldText('ﬃ')).toBe('ffi')
  })

  it('to search for has no NUL and a maximum length', () => {
    expect(searchText.safeParse('\0').success).toBe(false)
    expect(searchText.safeParse('x'.repeat(10_001)).success).toBe(false)
    expect(searchText.parse(' %_ ')).toBe(' %_ ')
  })
})

describe('A number of a query', () => {
  const limit = clampedInteger({ min: 1, max: 25, default: 10, invalid: 2 })

  it.each([
    [undefined, 10],
    ['7', 7],
    ['2abc', 2],
    [' +3', 3],
    ['0', 1],
    ['-5', 1],
    ['1000', 25],
    ['9'.repeat(400), 25],
    ['1e9', 1],
    ['', 10],
    ['abc', 2],
    ['NaN', 2],
  ])('reads %j as %i', (text, number) => {
    expect(limit.parse(text)).toBe(number)
  })

  it('is a whole number within its bounds', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const number = limit.parse(text)
        expect(Number.isInteger(number) && number >= 1 && number <= 25).toBe(true)
      }),
    )
  })
})

describe('A refusal of input', () => {
  const schema = z.object({
    params: z.object({ id }),
    query: z.object({ q: searchText.optional() }),
    body: z.object({
      thing: z.object({ name: requiredText('Name', { max: 5 }), list: z.array(z.string()).optional() }),
      flag: z.boolean().optional(),
    }),
  })

  function refused(changes: Readonly<Record<string, unknown>>, failure?: string): Refusal {
    const request = { params: { id: '1' }, query: {}, body: { thing: { name: 'a' } }, ...changes }
    const { error } = schema.safeParse(request, { error: plainFault })
    if (error === undefined) throw new Error('Nothing was refused')
    return refuseInput(error, request, failure)
  }

  it('is a 404 for an id that no record can have', () => {
    expect(refused({ params: { id: 'x' }, body: null })).toMatchObject({ code: 'not_found' })
  })

  it('names the parameter of the query', () => {
    expect(refused({ query: { q: '\0' } })).toMatchObject({ code: 'parameter_invalid', members: { parameter: 'q' } })
  })

  it.each([
    [undefined, 'parameter_missing', {}],
    [null, 'parameter_missing', {}],
    [[], 'parameter_invalid', {}],
    ['a', 'parameter_invalid', {}],
    [{}, 'parameter_missing', { parameter: 'thing' }],
    [{ thing: null }, 'parameter_invalid', { parameter: 'thing' }],
    [{ thing: 'a' }, 'parameter_invalid', { parameter: 'thing' }],
    [{ thing: [] }, 'parameter_invalid', { parameter: 'thing' }],
  ])('of the body %j is %s', (body, code, members) => {
    expect(refused({ body })).toMatchObject({ code, members })
  })

  it('lists each value with its place and its reason, and all of them in the toast', () => {
    const body = { thing: { name: '', list: ['a', 7] }, flag: 'x' }
    const { code, message, members } = refused({ body }, 'Could not do it.')
    const errors = [
      { field: 'name', message: "Name can't be blank" },
      { field: 'list.1', message: 'thing.list[1] must be a text' },
      { field: 'flag', message: 'flag must be true or false' },
    ]
    const texts = errors.map((error) => error.message)
    expect(code).toBe('validation_failed')
    expect(members['errors']).toEqual(errors)
    expect(members['toast']).toEqual({ title: 'Could not do it.', message: texts.join('\n'), variant: 'danger' })
    expect(message).toBe(`Could not do it. ${texts.join('. ')}`)
  })

  it('names a hundred values at most', () => {
    const list = Array.from({ length: 5000 }, () => 7)
    expect(refused({ body: { thing: { name: 'a', list } } }).members['errors']).toHaveLength(100)
  })
})

describe('The shape of a body', () => {
  it.each([
    ['{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000), 'parameter_invalid'],
    ['['.repeat(33) + ']'.repeat(33), 'parameter_invalid'],
    [`[${'1,'.repeat(20_000)}1]`, 'body_too_large'],
    ['{"a":{"length":{"toString":null,"valueOf":null}}}', 'parameter_invalid'],
    ['{"a":[{"length":[]}]}', 'parameter_invalid'],
  ])('is refused before any schema checks it', async (text, code) => {
    const body: unknown = JSON.parse(text)
    expect(
      (
        await refusalOf(() => {
          checkShape(body)
        })
      ).code,
    ).toBe(code)
  })

  it.each([
    undefined,
    null,
    7,
    'a',
    [],
    {},
    { length: 7 },
    { length: 'a' },
    { length: null },
    Array.from({ length: 19_000 }, () => 1),
  ])('is left to the schema otherwise', (body) => {
    expect(() => {
      checkShape(body)
    }).not.toThrow()
  })
})

describe('A fault of the body parser', () => {
  const fault = (members: Readonly<Record<string, unknown>>): unknown => Object.assign(new Error('secret'), members)

  it.each([
    ['entity.parse.failed', 400, 'malformed_json'],
    ['entity.too.large', 413, 'body_too_large'],
    ['charset.unsupported', 415, 'unsupported_media_type'],
    ['encoding.unsupported', 415, 'unsupported_media_type'],
    ['utf8.invalid', 400, 'malformed_json'],
    ['request.aborted', 400, 'malformed_json'],
    ['request.size.invalid', 400, 'malformed_json'],
    [undefined, 400, 'malformed_json'],
    ['something.new', 400, 'malformed_json'],
  ])('%s becomes a refusal that does not repeat it', (type, status, code) => {
    const refusal = refuseBody(fault({ type, status }), '1mb')
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ code })
    expect(String(refusal)).not.toContain('secret')
  })

  it.each([{}, { status: 500, type: 'stream.encoding.set' }, { status: '400' }])(
    'that the program caused (%j) remains a bug',
    (members) => {
      const bug = fault(members)
      expect(refuseBody(bug, '1mb')).toBe(bug)
    },
  )
})
