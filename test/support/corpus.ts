import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Real D3FEND releases and published XCCDF files. Their tests are skipped with a message if it is missing. */
export const CORPUS = resolve(
  process.env['PARAPET_CORPUS'] ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url)),
)

/** A folder with checkouts of w3c/rdf-tests and w3c/json-ld-api. */
export const W3C_SUITES = resolve(
  process.env['PARAPET_W3C'] ?? fileURLToPath(new URL('../../../shared/w3c', import.meta.url)),
)

/** Whether both exist. Their tests are skipped with a message if not. */
export const hasW3cSuites = ['rdf-tests', 'json-ld-api'].every((name) => existsSync(join(W3C_SUITES, name)))
