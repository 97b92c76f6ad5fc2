import type { z } from 'zod'
import { count, endpoint, endpoints, flag, proxy } from './setting-values.ts'

/** The variables of automatic downloads; `.env.example` explains each. */
export const SYNC_ENVIRONMENT = {
  SERVICE_LIBRARY_URLS: endpoints.default([]),
  SERVICE_REFERENCE_URLS: endpoints.default([]),
  SERVICE_ONTOLOGY_URL: endpoint.optional(),
  SERVICE_SYNC_HOURS: count(0, 8760).default(0),
  SERVICE_SYNC_ACTIVATE: flag.default(false),
  SERVICE_SYNC_ALLOW_PRIVATE: flag.default(false),
  SERVICE_SYNC_PROXY: proxy.optional(),
} as const

export interface SyncSettings {
  /** Addresses of zips, of XML files, or of JSON lists of them. */
  readonly libraries: readonly string[]
  /** Addresses of reference data. */
  readonly references: readonly string[]
  readonly ontology: string | null
  /** Null: only the command downloads. */
  readonly everyMs: number | null
  /** Whether a downloaded release of the ontology is activated. */
  readonly activate: boolean
  readonly allowPrivate: boolean
}

export function toSyncSettings(env: z.infer<z.ZodObject<typeof SYNC_ENVIRONMENT>>): SyncSettings {
  const hours = env.SERVICE_SYNC_HOURS
  return {
    libraries: env.SERVICE_LIBRARY_URLS,
    references: env.SERVICE_REFERENCE_URLS,
    ontology: env.SERVICE_ONTOLOGY_URL ?? null,
    everyMs: hours === 0 ? null : hours * 3_600_000,
    activate: env.SERVICE_SYNC_ACTIVATE,
    allowPrivate: env.SERVICE_SYNC_ALLOW_PRIVATE,
  }
}
