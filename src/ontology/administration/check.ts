import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Names } from '../../graph/names.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { findViolations, OWN_CHECKS, readCheck, readChecks, type Check } from '../ingest/checks.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'
import type { CheckOutcome, CheckReport, ExtraChecks } from './check-report.ts'

/** Runs the checks of an ingest, and those that are given, on a release. It is only read. */
export async function checkRelease(
  folder: ReleaseFolder,
  version: string,
  { checks: path, shapes: shapesPath }: ExtraChecks = {},
): Promise<CheckReport> {
  const checks = [...OWN_CHECKS, ...(path === undefined ? [] : await readExtraChecks(path))]
  const checkShapes = shapesPath === undefined ? null : await shapesAt(shapesPath)
  const manifest = await requireRelease(folder, version)
  const canonical = await folder.graph(manifest)
  const names = new Names(manifest.prefixes)
  const outcomes = await runQueries(canonical, names, checks)
  const shaped = (await checkShapes?.(canonical, names)) ?? []
  return { version, sha256: manifest.sha256, checks: [...outcomes, ...shaped] }
}

/** The validator is large, and nothing else needs it. */
async function shapesAt(path: string) {
  const { checkShapes, readShapes } = await import('./shapes.ts')
  const shapes = await readShapes(path)
  return (canonical: string, names: Names) => checkShapes(shapes, canonical, names)
}

async function runQueries(canonical: string, names: Names, checks: readonly Check[]): Promise<readonly CheckOutcome[]> {
  const { EmbeddedGraph } = await import('../../graph/store.ts')
  const graph = new EmbeddedGraph()
  graph.loadCanonical(canonical)
  const results: CheckOutcome[] = []
  for (const check of checks) {
    const { name, summary, severity } = check
    const violations = await findViolations(graph, names, check).catch((error: unknown) => {
      throw new Refusal('parameter_invalid', `The check ${name} cannot be run: ${messageOf(error)}`)
    })
    results.push({ name, summary, severity, violations })
  }
  return results
}

async function requireRelease(folder: ReleaseFolder, version: string): Promise<Manifest> {
  const manifest = await folder.manifest(version)
  if (manifest !== null) return manifest
  const versions = [...(await folder.versions())].sort().join(', ')
  const detail = `There is no release "${version}".${versions === '' ? '' : ` There are: ${versions}.`}`
  throw new Refusal('release_not_found', detail)
}

async function readExtraChecks(path: string): Promise<readonly Check[]> {
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
