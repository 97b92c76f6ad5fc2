import fc from 'fast-check'
import type { Form } from './form.ts'

const LEVELS = 100_000

/** Unusual texts that people may type. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b@example.org',
  '\ud800',
  'a\udfff@example.org',
  '\ufeff',
  '\u202e',
  '😀',
  'e\u0301',
  'İ',
  'ﬃ',
  '%',
  '%_\\',
  '\\',
  "'; drop table users; --",
  '" or 1=1 --',
  '${x}',
  '{{x}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '\r\nSet-Cookie: a=b',
  'null',
  'undefined',
  'NaN',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  '0',
  '-0',
  '-1',
  '-5',
  '1000',
  '1e9',
  '1e400',
  '0x10',
  '1.5',
  ' 7',
  '2147483648',
  'abc',
  '99999999999999999999',
  '9'.repeat(400),
  'x'.repeat(256),
  'é'.repeat(5001),
  'x'.repeat(10_001),
  '1970-01-01',
  '2999-12-31',
  '2026-02-30',
  '+275760-09-13',
  '0.0.0.0/0',
  '::ffff:1.2.3.4/129',
  '1.2.3.4/-1',
  `${'a'.repeat(64)}@${'b'.repeat(190)}`,
]

/** JSON texts of the wrong type. Some parsers reject some of them. */
const ODD_JSON: readonly string[] = [
  ...ODD_TEXTS.map((text) => JSON.stringify(text)),
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '2147483648',
  '123456789012345678901234567890',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"":null}',
  '[1,"a",{}]',
  '{"__proto__":{"polluted":"yes"}}',
  '{"constructor":{"prototype":{"polluted":"yes"}}}',
  '{"length":-1,"0":"a"}',
  '{"length":{"toString":null,"valueOf":null}}',
  `{"length":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}}`,
  '{"toString":null,"valueOf":null,"then":true}',
  JSON.stringify('x'.repeat(900_000)),
  `[${'1,'.repeat(100_000)}1]`,
  `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
  '['.repeat(LEVELS) + ']'.repeat(LEVELS),
  '{"a":'.repeat(LEVELS) + '1' + '}'.repeat(LEVELS),
]

const ODD_NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'length',
  '',
  '\0',
  '\ud800',
  '😀',
  'id',
  'user_id',
  'lock_version',
  'x'.repeat(300),
]

/** `fc.string` would list all code points first, which takes seconds. */
function ofAnyPoints(maxLength: number): fc.Arbitrary<string> {
  return fc
    .array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength })
    .map((points) => String.fromCodePoint(...points))
}

/** Any text, sometimes one of the well-known odd ones. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 1, arbitrary: ofAnyPoints(60) },
)

/** Texts that often break databases and parsers. Every field is tested with them. */
export const TRICKY_TEXTS: readonly string[] = ['a\0b@example.org', 'a\ud800b@example.org', "'", '%_\\', '😀']

/** `TRICKY_TEXTS` as JSON, and JSON values of other types. */
export const TRICKY_JSON: readonly string[] = [
  ...TRICKY_TEXTS.map((text) => JSON.stringify(text)),
  'null',
  '[]',
  '{}',
  '1e400',
  '-0',
  '{"length":{"valueOf":null,"toString":null}}',
]

/** An odd text that fits into an address. */
export const shortOddText = oddText.filter((text) => text.length < 500)

const oddJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD_JSON) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
)

const oddName = fc.constantFrom(...ODD_NAMES)

/** A change at one place of a body. */
export interface Oddity {
  /** Chooses the place, modulo the number of places. */
  readonly place: number
  readonly kind: 'replace' | 'remove' | 'add'
  readonly name: string
  /** A JSON text. */
  readonly value: string
}

export const oddity: fc.Arbitrary<Oddity> = fc.record({
  place: fc.nat(100),
  kind: fc.constantFrom('replace', 'replace', 'remove', 'add'),
  name: oddName,
  value: oddJson,
})

/** A placeholder for the odd value while the rest is written as JSON. */
const MARK = 'what is odd'
const MARKED = JSON.stringify(MARK)

/** The JSON text of a body with one odd value. */
export function withOddity(body: unknown, { place, kind, name, value }: Oddity): string {
  const places = placesOf(body)
  const path = places[place % places.length] ?? []
  if (kind === 'remove') return path.length === 0 ? '' : JSON.stringify(edit(body, path, () => undefined))
  if (kind === 'replace') return JSON.stringify(edit(body, path, () => MARK)).replace(MARKED, () => value)
  const text = JSON.stringify(edit(body, path, (old) => added(old)))
  return text.replace(`${MARKED}:${MARKED}`, () => `${JSON.stringify(name)}:${value}`)
}

const fieldName = fc.oneof(fc.constantFrom('document_type', 'version', 'replace', 'file'), oddName)

export const formOddity: fc.Arbitrary<Partial<Form>> = fc.oneof(
  fc.tuple(fieldName, oddText).map(([name, value]) => ({ fields: { [name]: value } })),
  oddText.map((fileName) => ({ fileName })),
  oddText.map((file) => ({ file })),
)

/** A form with one odd value. */
export function withFormOddity(form: Form, { fields, ...odd }: Partial<Form>): Form {
  return { ...form, ...odd, fields: { ...form.fields, ...fields } }
}

function added(old: unknown): unknown {
  return isObject(old) ? { ...old, [MARK]: MARK } : { [MARK]: MARK }
}

/** The paths of a body and of everything in it. */
export function placesOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]]
  const inside = Object.entries(value).flatMap(([name, member]) => placesOf(member).map((path) => [name, ...path]))
  return [[], ...inside]
}

function edit(value: unknown, [step, ...rest]: readonly string[], change: (old: unknown) => unknown): unknown {
  if (step === undefined) return change(value)
  if (typeof value !== 'object' || value === null) return value
  const members: readonly (readonly [string, unknown])[] = Object.entries(value)
  const edited = members.map(([name, member]) => [name, name === step ? edit(member, rest, change) : member])
  return Array.isArray(value) ? edited.map(([, member]) => member) : Object.fromEntries(edited)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
