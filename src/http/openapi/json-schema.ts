import { z } from 'zod'
import { Pauses } from '../../platform/concurrency/turns.ts'
import { getOrMake } from '../../platform/get-or-make.ts'

/** A JSON Schema or an OpenAPI object: plain data. */
export type Json = Readonly<Record<string, unknown>>

/** A reference to a schema of the document. */
export function schemaRef(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

/** Cached, because many schemas are used more than once. */
const described = new WeakMap<z.ZodType, Json>()

/** The JSON Schema of the input side, where members with defaults are optional; without the dialect. */
export function toJsonSchema(type: z.ZodType): Json {
  return getOrMake(described, type, () => document.parse(z.toJSONSchema(type, { io: 'input', override: mendSchema })))
}

/** Each schema, and the named ones that it is built from, as one flat list of components. */
export async function componentSchemas(schemas: readonly (readonly [string, z.ZodType])[]): Promise<Json> {
  const components: Record<string, unknown> = {}
  const pauses = new Pauses()
  // Many operations have an answer of the same name.
  for (const [name, type] of new Map(schemas)) {
    // The input side has optional defaults, and allows members that are not listed.
    const text = JSON.stringify(toJsonSchema(type))
    // Zod numbers schemas without a name, beginning at 0 in each schema.
    const named = text.replaceAll('"__schema', `"${name}__`).replaceAll('$defs/__schema', `$defs/${name}__`)
    const lifted: unknown = JSON.parse(named.replaceAll('"#/$defs/', '"#/components/schemas/'))
    const { $defs, ...schema } = document.parse(lifted)
    Object.assign(components, $defs, { [name]: schema })
    await pauses.rest()
  }
  return components
}

/**
 * Removes the bounds of safe integers, which say nothing. Defaults come as `x-default`, because Zod omits `default` in
 * schemas that transform.
 */
function mendSchema({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema & { 'x-default'?: unknown }
}): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema['x-default'] === undefined) return
  jsonSchema.default = jsonSchema['x-default']
  delete jsonSchema['x-default']
}

const document = z.looseObject({
  $defs: z.record(z.string(), z.unknown()).optional(),
  $schema: z
    .unknown()
    .transform(() => undefined)
    .optional(),
})
