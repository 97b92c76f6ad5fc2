import { z } from 'zod'
import { REFUSALS } from '../../platform/errors.ts'

/** A JSON Schema or an OpenAPI object: plain data. */
export type Json = Readonly<Record<string, unknown>>

/** What a service adds to the document. */
export interface OpenApiPart {
  readonly tags: readonly Json[]
  readonly paths: Readonly<Record<string, Json>>
  readonly schemas: Readonly<Record<string, z.ZodType>>
  readonly securitySchemes?: Json
}

interface Head {
  readonly version: string
  readonly baseUrl: string
}

const PROBLEM = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum([...Object.keys(REFUSALS), 'internal_error']),
    did_you_mean: z.array(z.string()).optional(),
    error: z.string().optional(),
    how_to_authenticate: z.object({ session: z.string(), token: z.string() }).optional(),
    toast: z.object({ title: z.string(), message: z.string(), variant: z.string() }).optional(),
    errors: z.array(z.object({ field: z.string().nullable(), message: z.string() })).optional(),
    admins: z.array(z.object({ name: z.string(), email: z.string() })).optional(),
    parameter: z.string().optional(),
    retry_after: z.int().optional(),
    attempts_left: z.int().optional(),
  })
  .meta({ description: 'What went wrong and where (RFC 9457)' })

/** An OpenAPI 3.1 document out of the parts; schemas are those that the tests validate with. */
export function openApiDocument({ version, baseUrl }: Head, parts: readonly OpenApiPart[]): Json {
  const schemas = parts.map((part) => Object.entries(part.schemas))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parapet',
      version,
      description:
        'A cybersecurity countermeasure ontology as JSON: read-only, open to all, frozen per release; ' +
        'its answers have a strong ETag and come compressed with gzip or brotli on request. ' +
        'Beside it, the authoring of security guidance, for people and scripts with an account.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: parts.flatMap((part) => part.tags),
    paths: Object.fromEntries(parts.flatMap((part) => Object.entries(part.paths))),
    components: {
      schemas: componentSchemas([['Problem', PROBLEM], ...schemas.flat()]),
      securitySchemes: Object.fromEntries(
        parts.flatMap((part) => Object.entries(part.securitySchemes ?? {})),
      ),
    },
  }
}

/** A reference to a schema of the document. */
export function schemaRef(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

/** The JSON Schema of what goes in, so that defaults may be left out; without the dialect. */
export function toJsonSchema(type: z.ZodType): Json {
  return document.parse(z.toJSONSchema(type, { io: 'input', override: mend }))
}

/** Each schema, and the named ones that it is built from, as one flat list of components. */
function componentSchemas(schemas: readonly (readonly [string, z.ZodType])[]): Json {
  const components: Record<string, unknown> = {}
  for (const [name, type] of schemas) {
    // Input: what a reader must accept; members that are not listed may be added.
    const text = JSON.stringify(toJsonSchema(type))
    // What has no name of its own is numbered by Zod, in each schema anew.
    const named = text
      .replaceAll('"__schema', `"${name}__`)
      .replaceAll('$defs/__schema', `$defs/${name}__`)
    const lifted: unknown = JSON.parse(named.replaceAll('"#/$defs/', '"#/components/schemas/'))
    const { $defs, ...schema } = document.parse(lifted)
    Object.assign(components, $defs, { [name]: schema })
  }
  return components
}

/**
 * That a number is one that JavaScript can count with goes without saying. What is taken for absent
 * comes as `x-default`, because Zod leaves `default` out of what it turns into something else.
 */
function mend({
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
