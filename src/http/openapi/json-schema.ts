import { z } from 'zod'
import { Pace } from '../../platform/concurrency/turns.ts'

/** A JSON Schema or an OpenAPI object: plain data. */
export type Json = Readonly<Record<string, unknown>>

/** A reference to a schema of the document. */
export function schemaRef(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

/** Many are asked for more than once. */
const described = new WeakMap<z.ZodType, Json>()

/** The JSON Schema of what goes in, so that defaults may be left out; without the dialect. */
export function toJsonSchema(type: z.ZodType): Json {
  const known = described.get(type)
  if (known !== undefined) return known
  const schema = document.parse(z.toJSONSchema(type, { io: 'input', override: mendSchema }))
  described.set(type, schema)
  return schema
}

/** Each schema, and the named ones that it is built from, as one flat list of components. */
export async function componentSchemas(schemas: readonly (readonly [string, z.ZodType])[]): Promise<Json> {
  const components: Record<string, unknown> = {}
  const pace = new Pace()
  // Many operations have an answer of the same name.
  for (const [name, type] of new Map(schemas)) {
    // Input: what a reader must accept; members that are not listed may be added.
    const text = JSON.stringify(toJsonSchema(type))
    // Zod numbers schemas without a name, in each schema from the start.
    const named = text.replaceAll('"__schema', `"${name}__`).replaceAll('$defs/__schema', `$defs/${name}__`)
    const lifted: unknown = JSON.parse(named.replaceAll('"#/$defs/', '"#/components/schemas/'))
    const { $defs, ...schema } = document.parse(lifted)
    Object.assign(components, $defs, { [name]: schema })
    await pace.rest()
  }
  return components
}

/**
 * Removes the bounds of safe integers, which go without saying. Defaults come as `x-default`, because Zod
 * leaves `default` out of schemas that transform.
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
