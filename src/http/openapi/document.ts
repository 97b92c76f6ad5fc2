import { z } from 'zod'
import { Pauses } from '../../platform/concurrency/turns.ts'
import { REFUSALS } from '../../platform/errors.ts'
import type { EndpointDescription } from '../endpoint.ts'
import { componentSchemas, type Json } from './json-schema.ts'
import { describeOperation, schemasOf } from './operation.ts'
import { TAGS } from './tags.ts'

interface DocumentHead {
  readonly version: string
  readonly baseUrl: string
  /** Name of the session cookie. */
  readonly cookie: string
}

const PROBLEM = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum([...Object.keys(REFUSALS), 'internal_error']),
    did_you_mean: z.array(z.string()).optional(),
    /** The id of the request in the log. */
    request_id: z.string().optional(),
    error: z.string().optional(),
    how_to_authenticate: z.object({ session: z.string(), token: z.string() }).optional(),
    toast: z.object({ title: z.string(), message: z.string(), variant: z.string() }).optional(),
    errors: z.array(z.object({ field: z.string().nullable(), message: z.string() })).optional(),
    admins: z.array(z.object({ name: z.string(), email: z.string() })).optional(),
    parameter: z.string().optional(),
    retry_after: z.int().optional(),
    attempts_left: z.int().optional(),
    methods: z.array(z.string()).optional(),
  })
  .meta({ description: 'A problem (RFC 9457)' })

/** An OpenAPI 3.1 document of the endpoints; schemas are those that the tests validate with. */
export async function openApiDocument(
  { version, baseUrl, cookie }: DocumentHead,
  endpoints: readonly EndpointDescription[],
): Promise<Json> {
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
    tags: describeTags(endpoints),
    paths: await describePaths(endpoints),
    components: {
      schemas: await componentSchemas([['Problem', PROBLEM], ...endpoints.flatMap(schemasOf)]),
      securitySchemes: securitySchemes(cookie),
    },
  }
}

function describeTags(endpoints: readonly EndpointDescription[]): readonly Json[] {
  return [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({
    name,
    ...(name in TAGS && { description: TAGS[name] }),
  }))
}

async function describePaths(endpoints: readonly EndpointDescription[]): Promise<Json> {
  const paths: Record<string, Record<string, Json>> = {}
  const pauses = new Pauses()
  for (const endpoint of endpoints) {
    for (const [index, method] of endpoint.methods.entries())
      (paths[endpoint.path] ??= {})[method] = describeOperation(endpoint, index)
    await pauses.rest()
  }
  return paths
}

function securitySchemes(cookie: string): Json {
  return {
    session: { type: 'apiKey', in: 'cookie', name: cookie },
    token: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: 'Token <ACCESS_TOKEN>',
    },
  }
}
