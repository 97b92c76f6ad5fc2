import type { Schema } from './document.ts'

/** A field of a body, with those within it. */
export interface Field {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string | null
  /** The schema of what is within it; null for plain values. */
  readonly within: Schema | null
}

type Schemas = Readonly<Record<string, Schema>>

/** Follows references and unwraps lists, unions with null, and conjunctions. */
function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return resolve(schemas[name] ?? {}, schemas)
  const { allOf } = schema
  if (allOf === undefined) return schema
  const parts = allOf.map((part) => resolve(part, schemas))
  return {
    type: 'object',
    properties: Object.fromEntries(parts.flatMap(({ properties = {} }) => Object.entries(properties))),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

/** The fields of an object, or of the objects of a list. */
export function fieldsOf(schema: Schema, schemas: Schemas): readonly Field[] {
  const object = objectIn(schema, schemas)
  const { properties = {}, required = [] } = object ?? {}
  return Object.entries(properties).map(([name, field]) => {
    const { description } = resolve(field, schemas)
    return {
      name,
      type: typeOf(field, schemas),
      isRequired: required.includes(name),
      description: field.description ?? description ?? null,
      within: objectIn(field, schemas) === null ? null : field,
    }
  })
}

/** The object in a schema, also within a list or a union; null if there is none. */
function objectIn(schema: Schema, schemas: Schemas): Schema | null {
  const resolved = resolve(schema, schemas)
  if (Object.keys(resolved.properties ?? {}).length > 0) return resolved
  if (resolved.items !== undefined) return objectIn(resolved.items, schemas)
  for (const choice of resolved.anyOf ?? resolved.oneOf ?? []) {
    const object = objectIn(choice, schemas)
    if (object !== null) return object
  }
  return null
}

/** A type in words: `string`, `list of object`, `integer or null`, `"a" | "b"`. */
export function typeOf(schema: Schema, schemas: Schemas): string {
  const { type, items, enum: values, const: constant, anyOf, oneOf } = resolve(schema, schemas)
  if (constant !== undefined) return JSON.stringify(constant)
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ')
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeOf(choice, schemas)))].join(' or ')
  if (items !== undefined) return `list of ${typeOf(items, schemas)}`
  return [type ?? 'any'].flat().join(' or ')
}

/** An initial value for a body: its required fields, empty. */
export function skeletonOf(schema: Schema, schemas: Schemas): unknown {
  const resolved = resolve(schema, schemas)
  const choice = (resolved.anyOf ?? resolved.oneOf)?.[0]
  if (choice !== undefined) return skeletonOf(choice, schemas)
  const { properties, enum: values = [] } = resolved
  const [fixed = resolved.const] = values
  if (fixed !== undefined) return fixed
  if (properties !== undefined) return requiredFields(resolved, schemas)
  return emptyValue(resolved)
}

function emptyValue({ items, type }: Schema): unknown {
  if (items !== undefined) return []
  const [first = ''] = [type].flat()
  return EMPTY[first] ?? null
}

function requiredFields({ properties = {}, required = [] }: Schema, schemas: Schemas): object {
  const entries = Object.entries(properties).filter(([name]) => required.includes(name))
  return Object.fromEntries(entries.map(([name, field]) => [name, skeletonOf(field, schemas)]))
}

const EMPTY: Readonly<Record<string, unknown>> = {
  string: '…',
  integer: 1,
  number: 1,
  boolean: false,
  object: {},
  array: [],
}
