import type { ingest as Ingest } from './ingest.ts'

/** What it loads, a store first of all, takes memory, and a service that only serves never needs it. */
export const ingest: typeof Ingest = async (...given) => {
  const loaded = await import('./ingest.ts')
  return loaded.ingest(...given)
}
