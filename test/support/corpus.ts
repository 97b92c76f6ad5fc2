import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Real D3FEND releases and published XCCDF files; tests of them are skipped, and say so, where it is absent. */
export const CORPUS = resolve(
  process.env['PARAPET_CORPUS'] ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url)),
)

/** A folder with checkouts of w3c/rdf-tests and w3c/json-ld-api; null if none is named. */
export const W3C_SUITES = process.env['PARAPET_W3C'] ?? null
