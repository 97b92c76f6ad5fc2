import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { instant } from '../../graph/json-ld.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'
import { RenderThread } from '../render/render-thread.ts'
import { filePath } from './file-path.ts'
import { isIntact, Journal, type PublishedFile } from './journal.ts'

/** Requests under way per thread: one being rendered, the others being written or waiting. */
const LANES = 3

export interface PublishOptions {
  readonly out: string
  readonly dataDir: string
  /** Default: the active release. */
  readonly version?: string | undefined
  /** Whether to write `describe` and `describe/inbound` for every subject. */
  readonly describe?: boolean
  /** Whether to write `.gz` and `.br` beside each file. */
  readonly compress?: boolean
  readonly threads?: number
  readonly onProgress?: (done: number, total: number) => void
}

export interface PublishOutcome {
  readonly version: string
  readonly written: number
  /** Files that an interrupted run had finished. */
  readonly kept: number
  /** Files of the release published here before that are in this one no more. */
  readonly removed: number
  /** Paths whose name is too long for a file. */
  readonly skipped: readonly string[]
  readonly bytes: number
}

/**
 * Writes everything that the service answers for a release as files, byte for byte the same, and
 * `manifest.json` with the digest of each. A run that was interrupted goes on where it stopped.
 */
export async function publish(
  folder: ReleaseFolder,
  options: PublishOptions,
): Promise<PublishOutcome> {
  const manifest = await findRelease(folder, options.version)
  await makeFolder(options.out)
  const threads = await openThreads(manifest, options)
  try {
    return await publishWith(threads, manifest, options)
  } finally {
    await Promise.all(threads.map((thread) => thread.close()))
  }
}

async function findRelease(folder: ReleaseFolder, asked: string | undefined): Promise<Manifest> {
  const version = asked ?? (await folder.active())
  const manifest = version === null ? null : await folder.manifest(version)
  if (manifest !== null) return manifest
  const detail =
    version === null ? 'Nothing has been ingested yet.' : `There is no release "${version}".`
  throw new Refusal('release_not_found', detail)
}

async function makeFolder(out: string): Promise<void> {
  await mkdir(out, { recursive: true }).catch((error: unknown) => {
    throw new Refusal('folder_unusable', `${out}: ${messageOf(error)}.`)
  })
}

function openThreads(
  { version }: Manifest,
  { dataDir, threads = availableParallelism() }: PublishOptions,
): Promise<RenderThread[]> {
  return Promise.all(Array.from({ length: threads }, () => RenderThread.open({ dataDir, version })))
}

async function publishWith(
  threads: readonly RenderThread[],
  manifest: Manifest,
  options: PublishOptions,
): Promise<PublishOutcome> {
  const { out, describe = true, compress = false } = options
  const paths = await threads[0]?.paths({ describe })
  const journal = new Journal(out, { release: manifest.sha256, describe, compress })
  const kept = await intactFiles(out, await journal.resume())
  const done = new Set(kept.map((file) => file.path))
  const { todo, skipped } = plan(out, paths ?? [], done)
  await makeFolders(todo)
  const writing = { ...options, journal, already: kept.length }
  const written = await writeAll(threads, todo, writing).finally(() => journal.close())
  const files = [...kept, ...written].sort((a, b) => (a.path < b.path ? -1 : 1))
  const current = new Set([...files.map((file) => file.path), ...skipped])
  const removed = await removeStale(out, current, compress)
  await writeManifest(out, formatManifest(manifest, files, compress))
  await journal.remove()
  return {
    version: manifest.version,
    written: written.length,
    kept: kept.length,
    removed,
    skipped,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
  }
}

async function makeFolders(todo: Plan['todo']): Promise<void> {
  const folders = new Set(todo.map(({ file }) => dirname(file)))
  for (const folder of folders) await mkdir(folder, { recursive: true })
}

async function intactFiles(
  out: string,
  files: readonly PublishedFile[],
): Promise<readonly PublishedFile[]> {
  const intact: PublishedFile[] = []
  for (const file of files) {
    const name = filePath(out, file.path)
    if (name !== null && (await isIntact(name, file))) intact.push(file)
  }
  return intact
}

type Writing = Pick<PublishOptions, 'compress' | 'onProgress'> & {
  readonly journal: Journal
  /** How many files an interrupted run had finished. */
  readonly already: number
}

interface Plan {
  readonly todo: readonly { readonly path: string; readonly file: string }[]
  readonly skipped: readonly string[]
}

function plan(out: string, paths: readonly string[], done: ReadonlySet<string>): Plan {
  const files = paths.map((path) => ({ path, file: filePath(out, path) }))
  return {
    todo: files.flatMap(({ path, file }) =>
      file === null || done.has(path) ? [] : [{ path, file }],
    ),
    skipped: files.filter(({ file }) => file === null).map(({ path }) => path),
  }
}

async function writeAll(
  threads: readonly RenderThread[],
  todo: Plan['todo'],
  { journal, already, compress = false, onProgress }: Writing,
): Promise<readonly PublishedFile[]> {
  const published: PublishedFile[] = []
  const queue = todo.values()
  const stop = new AbortController()
  const work = async (thread: RenderThread): Promise<void> => {
    for (const { path, file } of queue) {
      if (stop.signal.aborted) return
      const { length, sha256 } = await thread.write(path, { file, compress })
      const entry = { path, bytes: length, sha256 }
      await journal.add(entry)
      published.push(entry)
      onProgress?.(already + published.length, already + todo.length)
    }
  }
  const lanes = threads.flatMap((thread) => Array.from({ length: LANES }, () => thread))
  const ended = await Promise.allSettled(
    lanes.map(async (thread) => {
      await work(thread).catch((error: unknown) => {
        stop.abort()
        throw error
      })
    }),
  )
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
  return published
}

const publishedManifest = z.object({
  compressed: z.boolean(),
  files: z.record(z.string(), z.unknown()),
})

/**
 * Removes what an earlier manifest lists and this run has not written: files of the release before,
 * and compressed siblings that would now hold old content. Never anything else.
 */
async function removeStale(
  out: string,
  current: ReadonlySet<string>,
  compress: boolean,
): Promise<number> {
  const text = await readFile(join(out, 'manifest.json'), 'utf8').catch(() => null)
  if (text === null) return 0
  const earlier = publishedManifest.parse(JSON.parse(text))
  const paths = Object.keys(earlier.files)
  const stale = paths.filter((path) => !current.has(path))
  const packed = earlier.compressed ? (compress ? stale : paths) : []
  for (const path of stale) await removeFile(filePath(out, path))
  for (const file of packed.map((path) => filePath(out, path))) {
    if (file !== null) await Promise.all([removeFile(`${file}.gz`), removeFile(`${file}.br`)])
  }
  return stale.length
}

async function removeFile(file: string | null): Promise<void> {
  if (file !== null) await rm(file, { force: true })
}

/** The manifest comes last and whole: its presence says that the run is complete. */
async function writeManifest(out: string, content: string): Promise<void> {
  const draft = join(out, 'manifest.json.tmp')
  await writeFile(draft, content)
  await rename(draft, join(out, 'manifest.json'))
}

function formatManifest(
  { version, releaseDate, sha256 }: Manifest,
  files: readonly PublishedFile[],
  compressed: boolean,
): string {
  const listed = files.map(
    (file) => [file.path, { bytes: file.bytes, sha256: file.sha256 }] as const,
  )
  const content = {
    version,
    release_date: instant(releaseDate),
    ontology_hash_sha256: sha256,
    compressed,
    files: Object.fromEntries(listed),
  }
  return `${JSON.stringify(content, null, 1)}\n`
}
