import { z } from 'zod'
import { Pauses } from '../../platform/concurrency/turns.ts'
import { REFUSALS } from '../../platform/errors.ts'
import type { EndpointDescription } from '../endpoint.ts'
import { componentSchemas, type Json } from './json-schema.ts'
import { describeOperation, schemasOf } from './operation.ts'

/** Descriptions of tags. */
const TAGS: Readonly<Record<string, string>> = {
  Ontology: 'The published knowledge base. No account is needed.',
  'Linked data': 'Every subject of the ontology and of the catalogue as RDF.',
  Releases: 'The releases of the ontology and their files.',
  SPARQL: 'Queries over the ontology and the published guidance.',
  Authentication: 'Sign-in, sign-out and the session.',
  Accounts: 'The own account: profile, password, identities.',
  'Second factor': 'One-time passwords, security keys and recovery codes.',
  'Personal access tokens': 'Tokens by which scripts act for an account.',
  Instance: 'Settings, navigation and state of this installation.',
  'User administration': 'Accounts, for administrators.',
  Memberships: 'Who works in a project or component, with which role.',
  Projects: 'Projects, which hold components.',
  Components: 'Components, which become STIGs or SRGs, and their releases.',
  'Access requests': 'Requests to become a member of a project.',
  Catalogue: 'Published SRGs and STIGs, and their import.',
  'Open catalogue': 'Published SRGs and STIGs by their names, open to all.',
  Search: 'Search over the ontology and the guidance.',
  Advice: "Advice on the words of rules, by DISA's process guide.",
  Coverage: 'Techniques and attacks that rules are linked to, and coverage of your own list.',
  Rules: 'The rules of a component.',
  Relocations: 'Moves of a component to another release of its SRG.',
  Comments: 'Comments on rules, and the decisions on them.',
  Figures: 'Numbers about the work on components.',
  Spreadsheets: 'Import of rules from spreadsheets.',
  Archives: 'Export and import of whole projects.',
  Merges: 'Merging of files that were edited elsewhere.',
  Milestones: 'Dates of a component on its way to a release, and what was frozen on them.',
  Exports: 'Components as XCCDF, checklists, InSpec profiles and tables.',
  Events: 'Changes as they happen.',
  Attachments: 'Files that are kept with a rule as evidence.',
  Webhooks: 'Addresses that are called when something changes.',
  'Audit trail': 'Who changed what, and when.',
}

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
