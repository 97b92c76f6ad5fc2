import type { ingest as Ingest } from './ingest.ts'

/** Loads the code on demand: its store takes memory, and a running service rarely needs it. */
export const ingest: typeof Ingest = async (...parameters) => {
  const loaded = await import('./ingest.ts')
  return loaded.ingest(...parameters)
}
