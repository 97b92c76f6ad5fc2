import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Names } from '../../graph/names.ts'
import { EmbeddedGraph } from '../../graph/store.ts'
import { d3f } from '../../graph/vocabulary.ts'
import { Refusal } from '../../platform/errors.ts'
import { VIEWS } from '../endpoints/list.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { CheckResult, Manifest, SourceRecord } from '../release/manifest.ts'
import { artifacts, attacks, defensiveTechniques, readRelease } from '../release/release.ts'
import { storeRelease, type StoreOutcome } from '../release/store.ts'
import { canonicalNQuads } from './canonical.ts'
import { runChecks } from './checks.ts'
import { decideIdentity } from './identity.ts'
import { parseDocument } from './parse.ts'
import { expandSources, readDocument, type ReadLimits, type SourceDocument } from './read.ts'
import { buildRepository } from './repository/build.ts'
import { isRepository } from './repository/files.ts'
import type { StatedIdentity } from './repository/makefile.ts'
import type { ReadSheets } from './repository/table.ts'

const FLATTEN_UPDATE = readFileSync(new URL('./flatten.ru', import.meta.url), 'utf8')
const RESTRICTIONS = readFileSync(new URL('./restrictions.ru', import.meta.url), 'utf8')
const INDIVIDUALS = readFileSync(new URL('./repository/individuals.ru', import.meta.url), 'utf8')

export interface IngestOptions extends ReadLimits {
  /** Files, globs, http(s) URLs, `-` for standard input, or checkouts of D3FEND's source repository. */
  readonly sources: readonly string[]
  readonly format?: string | undefined
  readonly version?: string | undefined
  readonly date?: string | undefined
  /** Lets a version that exists get other content. */
  readonly replace?: boolean
  /** Makes any violation of a check fatal. */
  readonly strict?: boolean
  /** Activates the release. */
  readonly activate?: boolean
  /** Reads the spreadsheets of a source repository. */
  readonly readSheets?: ReadSheets
}

/** The release as it was stored, and the paths of the API at which it has no records. */
export interface IngestOutcome extends StoreOutcome {
  readonly withoutRecords: readonly string[]
}

/** Receives progress; the terminal shows a bar or lines. */
export interface Progress {
  step(name: string): void
  bytes(source: string, read: number, expected: number | undefined): void
}

/**
 * Makes a release from all sources: one checked, canonical graph. Nothing is written before everything has been read,
 * parsed and checked; `ReleaseFolder` describes the state after a crash.
 */
export async function ingest(
  folder: ReleaseFolder,
  options: IngestOptions,
  progress: Progress = { step: () => undefined, bytes: () => undefined },
): Promise<IngestOutcome> {
  const graph = new EmbeddedGraph()
  const { sources, prefixes, built } = await loadSources(graph, options, progress)
  progress.step('Normalising')
  const directFromRestrictions = normalise(graph)
  if (built !== null) graph.update(INDIVIDUALS)
  const identity = await decideIdentity(graph, {
    version: options.version ?? built?.version,
    date: options.date ?? built?.date,
  })
  progress.step('Naming blank nodes')
  const nquads = await canonicalNQuads(graph.dump())
  progress.step('Checking')
  const checks = await runChecks(graph, new Names(prefixes))
  if (options.strict === true) refuseViolations(checks)
  const sha256 = createHash('sha256').update(nquads).digest('hex')
  const { manifest, withoutRecords } = await countRecords(graph, {
    ...identity,
    sha256,
    graphFile: `${sha256.slice(0, 16)}.nq`,
    ingestedAt: new Date().toISOString(),
    sources: [...sources],
    counts: { ...NO_COUNTS, statements: graph.size, directFromRestrictions },
    checks: [...checks],
    prefixes,
  })
  progress.step('Writing')
  const outcome = await folder.exclusively(() => storeRelease(folder, manifest, { nquads, ...options }))
  return { ...outcome, withoutRecords }
}

/** `built`: version and date of a built source repository; null without one. */
async function loadSources(graph: EmbeddedGraph, options: IngestOptions, progress: Progress) {
  const sources: SourceRecord[] = []
  const prefixes = new Map<string, string>()
  let built: StatedIdentity | null = null
  for (const name of await expandSources(options.sources)) {
    if (await isRepository(name)) {
      progress.step(`Building ${name}`)
      const repository = await buildRepository(name, options)
      graph.loadCanonical(repository.nquads)
      for (const [prefix, namespace] of repository.prefixes) prefixes.set(prefix, namespace)
      sources.push(...repository.documents.map(recordOf))
      built = repository
      continue
    }
    const document = await readDocument(name, options, (...counts) => {
      progress.bytes(...counts)
    })
    progress.step(`Parsing ${document.name}`)
    const declared = parseDocument(graph, document, options.format)
    for (const [prefix, namespace] of declared) {
      if (!prefixes.has(prefix)) prefixes.set(prefix, namespace)
    }
    sources.push(recordOf(document))
  }
  if (graph.size === 0) throw new Refusal('source_empty', 'The sources contain no statements.')
  return { sources, prefixes: Object.fromEntries(prefixes), built }
}

function recordOf({ name, sha256, bytes }: SourceDocument): SourceRecord {
  return { name, sha256, bytes }
}

/** Returns how many statements the restrictions added. */
function normalise(graph: EmbeddedGraph): number {
  graph.update(FLATTEN_UPDATE)
  const before = graph.size
  graph.update(RESTRICTIONS)
  return graph.size - before
}

function refuseViolations(checks: readonly CheckResult[]): void {
  const failed = checks.filter((check) => check.violations > 0)
  if (failed.length === 0) return
  const list = failed.map((check) => `${check.name} (${check.violations})`).join(', ')
  throw new Refusal('checks_failed', `With --strict these checks stop the ingest: ${list}.`, {
    checks: failed,
  })
}

const NO_COUNTS = {
  subjects: 0,
  defensiveTechniques: 0,
  offensiveTechniques: 0,
  artifacts: 0,
  weaknesses: 0,
}

/** Opens the release like the service, as a test, and counts its records. */
async function countRecords(
  graph: EmbeddedGraph,
  manifest: Manifest,
): Promise<{ readonly manifest: Manifest; readonly withoutRecords: readonly string[] }> {
  const release = await readRelease(graph, manifest)
  const having = (iris: ReadonlySet<string>, property: string): number =>
    [...iris].filter((iri) => release.summaries.has(iri, property)).length
  const counts = {
    ...manifest.counts,
    subjects: release.subjects.size,
    defensiveTechniques: having(defensiveTechniques(release), d3f.d3fendId),
    offensiveTechniques: attacks(release).length,
    artifacts: artifacts(release).size - 1,
    weaknesses: [...release.summaries.withProperty(d3f.cweId)].length,
  }
  const empty = VIEWS.filter((view) => view.kind === 'record' && view.members(release).size === 0)
  return { manifest: { ...manifest, counts }, withoutRecords: empty.map(({ path }) => path) }
}
