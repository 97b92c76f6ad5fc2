import { dirname, join } from 'node:path'
import type { FillPages } from '../../contracts/pages.ts'
import { Refusal } from '../../platform/errors.ts'
import { defaultNames, type NameForm } from '../../platform/files/file-names.ts'
import { makeFolder, makeOutputFolder } from '../../platform/files/make-folder.ts'
import { programDigest } from '../derived/program-digest.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'
import { explainNoneActive } from '../release/unknown.ts'
import { intactAnswers, listFiles } from './answers.ts'
import { Journal } from './journal.ts'
import { planSite, type Plan } from './plan.ts'
import { fillPages, planPages, searchIndex, type PagesSource, type PlannedPages } from './site/pages.ts'
import { writeSite } from './site/site.ts'
import { readEarlier, removeStale, writeManifest, type EarlierRun } from './tree/manifest.ts'
import type { TreeFile } from './tree/tree.ts'
import { writePlan } from './write-plan.ts'
import { WriterThreads } from './writer-threads.ts'

export interface PublishOptions {
  readonly out: string
  readonly dataDir: string
  /** The future address of the tree, without a final slash: addresses of the sitemap begin with it. */
  readonly baseUrl: string
  /** Default: names for every file system on Windows, readable ones elsewhere. */
  readonly names?: NameForm
  /** Default: the active release. */
  readonly version?: string | undefined
  /** Whether to write every release under its version as well, and the reports on releases. */
  readonly allReleases?: boolean
  /** Whether to write `describe` and `describe/inbound` for every subject. */
  readonly describe?: boolean
  /** Whether to write only JSON below `/api/`: no tables, no files with the whole ontology. */
  readonly onlyJson?: boolean
  /** Whether to write `.gz` and `.br` beside each file. */
  readonly compress?: boolean
  readonly threads?: number
  /** The application for browsers, to be written beside the data. */
  readonly pages?: PagesSource
  /** Fills pages with their content; default: they are empty without scripts. */
  readonly fill?: FillPages
  /** Whether the pages of the catalogue are published beside these. */
  readonly hasCatalogue?: boolean
  readonly onProgress?: (done: number, total: number) => void
}

export interface PublishOutcome {
  readonly version: string
  /** Versions in the tree; empty if it has only one release. */
  readonly pinned: readonly string[]
  readonly written: number
  /** Files that an interrupted run had finished. */
  readonly kept: number
  /** Removed files of the release that was published here before. */
  readonly removed: number
  /** Files that were not written, because foreign files have their names. */
  readonly foreign: readonly string[]
  readonly bytes: number
}

/**
 * Writes all answers of the service for a release as files, byte for byte the same, with settings for static web servers,
 * and `manifest.json` with the digest of each file. Continues an interrupted run.
 */
export async function publish(folder: ReleaseFolder, options: PublishOptions): Promise<PublishOutcome> {
  const release = await findRelease(folder, options.version)
  makeOutputFolder(options.out)
  const earlier = await readEarlier(options.out)
  const writers = await WriterThreads.open(folder, release, options)
  try {
    const { names = defaultNames(), describe = true, onlyJson = false, compress = false } = options
    const publishOptions = { ...options, names, describe, onlyJson, compress }
    const plan = await planSite(writers, { folder, release }, publishOptions)
    return await publishPlan(writers, { folder, plan, earlier }, publishOptions)
  } finally {
    await writers.close()
  }
}

async function findRelease(folder: ReleaseFolder, requested: string | undefined): Promise<Manifest> {
  const version = requested ?? (await folder.active())
  const manifest = version === null ? null : await folder.manifest(version)
  if (manifest !== null) return manifest
  const detail = version === null ? await explainNoneActive(folder) : `There is no release "${version}".`
  throw new Refusal('release_not_found', detail)
}

type CompletePublishOptions = PublishOptions &
  Required<Pick<PublishOptions, 'names' | 'describe' | 'onlyJson' | 'compress'>>

async function publishPlan(
  writers: WriterThreads,
  { folder, plan, earlier }: { readonly folder: ReleaseFolder; readonly plan: Plan; readonly earlier: EarlierRun },
  options: CompletePublishOptions,
): Promise<PublishOutcome> {
  const { out, compress, names, baseUrl, fill } = options
  const { release, own, tree } = plan
  const releases = plan.pinned.map(({ manifest }) => manifest)
  const removed = await removeStale(out, earlier, { files: tree.map(({ file }) => file), compressed: compress })
  makeFolders(out, tree)
  const journal = new Journal(out, await headingOf(plan, options))
  const answers = plan.parts.flatMap((part) => part.files)
  const intact = await intactAnswers(out, answers, await journal.resume())
  const pages = await pagesOf(writers, plan, options)
  const written = await writePlan(writers, { folder, plan, finished: intact, journal }, options)
  const files = listFiles(tree, new Map([...intact, ...written]))
  const filled = pages === null || fill === undefined ? pages : await fillPages(pages, tree, fill)
  const site = await writeSite(out, { release, releases, own, tree, names, compress, baseUrl, pages: filled }, earlier)
  await writeManifest(out, { release, names, compressed: compress, site: site.written, files })
  await journal.remove()
  return {
    version: release.version,
    pinned: releases.map(({ version }) => version),
    written: written.size,
    kept: intact.size,
    removed,
    foreign: site.foreign,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
  }
}

async function pagesOf(
  writers: WriterThreads,
  { own, pinned }: Plan,
  { pages, baseUrl, names, compress, hasCatalogue = false }: CompletePublishOptions,
): Promise<PlannedPages | null> {
  if (pages === undefined) return null
  const basePath = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/`
  const { files, tree } = planPages(pages, own, { names, compress, basePath, releases: pinned, hasCatalogue })
  const { documents } = await writers.first.ask('content', null)
  return { files: new Map([...files, ...searchIndex(documents, compress)]), tree }
}

/** A run continues an interrupted one only if this key is equal. */
async function headingOf(
  { release, pinned }: Plan,
  { describe, onlyJson, compress, names }: CompletePublishOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const releases = pinned.map(({ manifest }) => [manifest.version, manifest.sha256])
  return { release: release.sha256, releases, describe, onlyJson, compress, names, program: await programDigest() }
}

function makeFolders(out: string, tree: readonly TreeFile[]): void {
  const folders = new Set(tree.map(({ file }) => dirname(file)))
  for (const folder of folders) makeFolder(join(out, folder))
}
