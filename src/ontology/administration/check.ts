import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Names } from '../../graph/names.ts'
import { EmbeddedGraph } from '../../graph/store.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { findViolations, OWN_CHECKS, readCheck, readChecks, type Check } from '../ingest/checks.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'

interface Violation {
  readonly subject: string
  readonly detail?: string
}

/** What the checks found in a release. */
export interface CheckReport {
  readonly version: string
  readonly sha256: string
  readonly checks: readonly {
    readonly name: string
    readonly summary: string
    readonly severity: 'error' | 'warning'
    readonly violations: readonly Violation[]
  }[]
}

/** Runs the checks of an ingest, and those of a folder or file, on a release. It is only read. */
export async function checkRelease(
  folder: ReleaseFolder,
  version: string,
  path: string | undefined,
): Promise<CheckReport> {
  const checks = [...OWN_CHECKS, ...(path === undefined ? [] : await readGiven(path))]
  const manifest = await requireRelease(folder, version)
  const graph = new EmbeddedGraph()
  graph.loadCanonical(await folder.graph(manifest))
  const names = new Names(manifest.prefixes)
  const results: CheckReport['checks'][number][] = []
  for (const check of checks) {
    const { name, summary, severity } = check
    const violations = await findViolations(graph, names, check).catch((error: unknown) => {
      throw new Refusal('parameter_invalid', `The check ${name} cannot be run: ${messageOf(error)}`)
    })
    results.push({ name, summary, severity, violations })
  }
  return { version, sha256: manifest.sha256, checks: results }
}

async function requireRelease(folder: ReleaseFolder, version: string): Promise<Manifest> {
  const manifest = await folder.manifest(version)
  if (manifest !== null) return manifest
  const known = [...(await folder.versions())].sort().join(', ')
  const detail = `There is no release "${version}".${known === '' ? '' : ` There are: ${known}.`}`
  throw new Refusal('release_not_found', detail)
}

async function readGiven(path: string): Promise<readonly Check[]> {
  try {
    const url = pathToFileURL(resolve(path))
    if (!(await stat(path)).isDirectory()) return [readCheck(url)]
    const checks = readChecks(new URL(`${url.href}/`))
    if (checks.length > 0) return checks
  } catch (error) {
    throw new Refusal('source_not_found', `--checks ${path}: ${messageOf(error)}.`)
  }
  throw new Refusal('source_not_found', `--checks ${path}: there is no query (*.rq) in it.`)
}
