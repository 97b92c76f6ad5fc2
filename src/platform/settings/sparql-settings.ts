import type { z } from 'zod'
import { count, flag } from './setting-values.ts'

/** The variables of the SPARQL endpoint; `.env.example` explains each. */
export const SPARQL_ENVIRONMENT = {
  SERVICE_SPARQL_THREADS: count(0, 64).default(2),
  SERVICE_SPARQL_SECONDS: count(1, 600).default(5),
  SERVICE_SPARQL_ROWS: count(1, 10_000_000).default(100_000),
  SERVICE_SPARQL_ANSWER_MB: count(1, 256).default(32),
  SERVICE_SPARQL_QUERY_KB: count(1, 1024).default(100),
  SERVICE_SPARQL_QUEUE: count(1, 10_000).default(64),
  SERVICE_SPARQL_PER_ADDRESS: count(1, 10_000).default(10),
  SERVICE_SPARQL_MEMORY_MB: count(64, 4095).default(512),
  SERVICE_SPARQL_PATHS: flag.default(false),
}

/** Limits of the SPARQL endpoint. */
export interface SparqlSettings {
  /** Limit of simultaneous queries; with 0, there is no endpoint. */
  readonly threads: number
  readonly deadlineMs: number
  readonly rows: number
  readonly answerBytes: number
  readonly queryBytes: number
  readonly queue: number
  readonly perAddress: number
  /** Limit of the WebAssembly memory of each thread. */
  readonly memoryMegabytes: number
  /** Whether the engine, if there is one, answers property paths correctly. */
  readonly paths: boolean
}

export function toSparqlSettings(env: z.infer<z.ZodObject<typeof SPARQL_ENVIRONMENT>>): SparqlSettings {
  return {
    threads: env.SERVICE_SPARQL_THREADS,
    deadlineMs: env.SERVICE_SPARQL_SECONDS * 1000,
    rows: env.SERVICE_SPARQL_ROWS,
    answerBytes: env.SERVICE_SPARQL_ANSWER_MB * 1024 * 1024,
    queryBytes: env.SERVICE_SPARQL_QUERY_KB * 1024,
    queue: env.SERVICE_SPARQL_QUEUE,
    perAddress: env.SERVICE_SPARQL_PER_ADDRESS,
    memoryMegabytes: env.SERVICE_SPARQL_MEMORY_MB,
    paths: env.SERVICE_SPARQL_PATHS,
  }
}
