import { z } from 'zod'
import { Refusal } from '../errors.ts'
import { FILE_SETTING_NAMES, withFiles } from './environment-files.ts'
import { GUIDANCE_ENVIRONMENT, missingPartners } from './guidance-environment.ts'
import { toGuidanceSettings, toSecrets, type GuidanceSettings, type Secrets } from './guidance-settings.ts'
import { choice, contact, count, endpoint, flag, graph, line, origin, processes } from './setting-values.ts'
import { SPARQL_ENVIRONMENT, toSparqlSettings, type SparqlSettings } from './sparql-settings.ts'
import { SYNC_ENVIRONMENT, toSyncSettings, type SyncSettings } from './sync-settings.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The requests that the access log contains. */
const ACCESS_LOGS = ['all', 'requests', 'off'] as const

const environment = z.object({
  SERVICE_HOST: line.default('127.0.0.1'),
  SERVICE_PORT: count(0, 65_535).default(3000),
  SERVICE_PROCESSES: processes.default(1),
  SERVICE_BASE_URL: origin.optional(),
  SERVICE_SECURITY_CONTACT: contact.optional(),
  SERVICE_DATA_DIR: z.string().default('./var'),
  SERVICE_LOG_LEVEL: choice(LOG_LEVELS).default('info'),
  SERVICE_ACCESS_LOG: choice(ACCESS_LOGS).default('requests'),
  SERVICE_METRICS_HOST: line.default('127.0.0.1'),
  SERVICE_METRICS_PORT: count(0, 65_535).optional(),
  SERVICE_DRAIN_SECONDS: count(0, 300).default(5),
  SERVICE_CACHE_MB: count(1, 4096).default(64),
  SERVICE_SPARQL_URL: endpoint.optional(),
  SERVICE_SPARQL_GRAPH: graph.optional(),
  SERVICE_RELEASES_MB: count(1, 1_048_576).default(512),
  SERVICE_MCP_ENABLED: flag.default(false),
  ...SPARQL_ENVIRONMENT,
  ...SYNC_ENVIRONMENT,
  ...GUIDANCE_ENVIRONMENT,
})

/** Everything that can be set from outside. Sizes in bytes, the base URL without a final slash. */
export interface Settings {
  readonly host: string
  readonly port: number
  /** Number of processes that share the port. */
  readonly processes: number
  readonly baseUrl: string
  /** A URI for reports of vulnerabilities of this installation; null: none is published. */
  readonly securityContact: string | null
  readonly dataDir: string
  readonly logLevel: string
  /** `requests`: those that the ontology does not answer from memory. */
  readonly accessLog: (typeof ACCESS_LOGS)[number]
  /** The address that serves the metrics; null if none does. */
  readonly metrics: { readonly host: string; readonly port: number } | null
  readonly cacheBytes: number
  /** Limit of the memory for open releases beside the active one. */
  readonly releasesBytes: number
  /** The SPARQL engine that holds releases, and the name of the graph of a version; null: there is none. */
  readonly engine: { readonly url: string; readonly graph: string } | null
  /** How long the service continues to answer after a stop signal. */
  readonly drainMs: number
  /** Whether language models and their programs may use `/mcp`. */
  readonly mcp: boolean
  readonly sparql: SparqlSettings
  readonly sync: SyncSettings
  readonly guidance: GuidanceSettings
}

/** The names of all settings; `.env.example` has a row for each. */
export const SETTING_NAMES: readonly string[] = [...Object.keys(environment.shape), ...FILE_SETTING_NAMES]

/**
 * Reads the settings. An invalid value stops the start with the name of the variable. An empty or blank variable counts
 * as not set.
 */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  return toSettings(readEnvironment(env))
}

/** The settings that must never be logged or returned, apart from all the others. */
export function readSecrets(env: NodeJS.ProcessEnv = process.env): Secrets {
  return toSecrets(readEnvironment(env))
}

/** The proxy of automatic downloads, which may contain a password; null: the proxies of the environment. */
export function readSyncProxy(env: NodeJS.ProcessEnv = process.env): string | null {
  return readEnvironment(env).SERVICE_SYNC_PROXY ?? null
}

/** The personal access token for commands on the caller's own machine (PARAPET_TOKEN); null: there is none. */
export function readOwnToken({ PARAPET_TOKEN: token = '' }: NodeJS.ProcessEnv = process.env): string | null {
  return token === '' ? null : token
}

/** Variables that look like settings but are unknown, such as misspelt names. */
export function unknownSettings(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const names = Object.keys(withFiles(env))
  return names.filter((name) => name.startsWith('SERVICE_') && !SETTING_NAMES.includes(name))
}

function readEnvironment(env: NodeJS.ProcessEnv): z.infer<typeof environment> {
  const parsed = environment.safeParse(withFiles(env))
  if (!parsed.success)
    throw new Refusal(
      'setting_invalid',
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}.`).join(' '),
    )
  const missing = missingPartners(parsed.data)
  if (missing.length > 0) throw new Refusal('setting_invalid', missing.join(' '))
  return parsed.data
}

function toSettings(env: z.infer<typeof environment>): Settings {
  const baseUrl = env.SERVICE_BASE_URL ?? `http://localhost:${env.SERVICE_PORT}`
  const engineUrl = env.SERVICE_SPARQL_URL
  const graphName = env.SERVICE_SPARQL_GRAPH ?? `${baseUrl}/releases/{version}`
  return Object.freeze({
    host: env.SERVICE_HOST,
    port: env.SERVICE_PORT,
    processes: env.SERVICE_PROCESSES,
    baseUrl,
    securityContact: env.SERVICE_SECURITY_CONTACT ?? null,
    dataDir: env.SERVICE_DATA_DIR,
    logLevel: env.SERVICE_LOG_LEVEL,
    accessLog: env.SERVICE_ACCESS_LOG,
    metrics: toMetrics(env),
    drainMs: env.SERVICE_DRAIN_SECONDS * 1000,
    cacheBytes: env.SERVICE_CACHE_MB * 1024 * 1024,
    engine: engineUrl === undefined ? null : { url: engineUrl, graph: graphName },
    releasesBytes: env.SERVICE_RELEASES_MB * 1024 * 1024,
    mcp: env.SERVICE_MCP_ENABLED,
    sparql: toSparqlSettings(env),
    sync: toSyncSettings(env),
    guidance: toGuidanceSettings(env),
  })
}

function toMetrics(env: z.infer<typeof environment>): Settings['metrics'] {
  const { SERVICE_METRICS_HOST: host, SERVICE_METRICS_PORT: port } = env
  if (port !== 0 && port === env.SERVICE_PORT)
    throw new Refusal('setting_invalid', 'SERVICE_METRICS_PORT: must differ from SERVICE_PORT.')
  return port === undefined ? null : { host, port }
}
