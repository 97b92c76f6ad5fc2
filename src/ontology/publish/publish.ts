import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { AT_ONCE } from '../../platform/threads/asked-thread.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'
import { limitsFor } from '../render/limits.ts'
import { RenderThread } from '../render/render-thread.ts'
import { isIntact, Journal, type PublishedAnswer } from './journal.ts'
import { writeSite } from './site/site.ts'
import type { NameForm } from './tree/file-names.ts'
import {
  readEarlier,
  removeStale,
  writeManifest,
  type EarlierRun,
  type ListedFile,
} from './tree/manifest.ts'
import { planTree, type TreeFile } from './tree/tree.ts'

export interface PublishOptions {
  readonly out: string
  readonly dataDir: string
  /** Where the tree will be reached, without a final slash: addresses of the sitemap begin with it. */
  readonly baseUrl: string
  /** Default: names for every file system on Windows, readable ones elsewhere. */
  readonly names?: NameForm
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
  /** Removed files of the release that was published here before. */
  readonly removed: number
  /** Files that were not written, because there are files of somebody else with their names. */
  readonly foreign: readonly string[]
  readonly bytes: number
}

/**
 * Writes everything that the service answers for a release as files, byte for byte the same, what a
 * server of static files needs to answer them alike, and `manifest.json` with the digest of each.
 * Continues an interrupted run where it stopped.
 */
export async function publish(
  folder: ReleaseFolder,
  options: PublishOptions,
): Promise<PublishOutcome> {
  const manifest = await findRelease(folder, options.version)
  await makeFolder(options.out)
  const earlier = await readEarlier(options.out)
  const threads = await openThreads(folder, manifest, options)
  try {
    return await publishWith(threads, { release: manifest, earlier }, options)
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

async function openThreads(
  folder: ReleaseFolder,
  manifest: Manifest,
  { dataDir, threads = availableParallelism() }: PublishOptions,
): Promise<readonly RenderThread[]> {
  const limits = await limitsFor(folder, manifest)
  const opening = Array.from(
    { length: threads },
    () => new RenderThread({ dataDir, manifest, limits }),
  )
  await Promise.all(opening.map((thread) => thread.opened))
  return opening
}

interface PublishTask {
  readonly release: Manifest
  readonly earlier: EarlierRun
}

async function publishWith(
  threads: readonly RenderThread[],
  { release, earlier }: PublishTask,
  options: PublishOptions,
): Promise<PublishOutcome> {
  const { out, describe = true, compress = false, names = defaultNames(), baseUrl } = options
  const tree = planTree((await threads[0]?.ask('paths', { describe })) ?? [], names)
  const next = { files: tree.map(({ file }) => file), compressed: compress }
  const removed = await removeStale(out, earlier, next)
  await makeFolders(out, tree)
  const journal = new Journal(out, { release: release.sha256, describe, compress, names })
  const kept = await intactAnswers(out, tree, await journal.resume())
  const todo = tree.filter(({ path }) => !kept.has(path))
  const writing = { ...options, compress, journal, already: kept.size }
  const written = await writeAll(threads, todo, writing)
  const files = listFiles(tree, new Map([...kept, ...written]))
  const site = await writeSite(out, { release, tree, names, compress, baseUrl }, earlier)
  await writeManifest(out, { release, names, compressed: compress, site: site.written, files })
  await journal.remove()
  return {
    version: release.version,
    written: written.size,
    kept: kept.size,
    removed,
    foreign: site.foreign,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
  }
}

function defaultNames(): NameForm {
  return process.platform === 'win32' ? 'portable' : 'readable'
}

async function makeFolders(out: string, tree: readonly TreeFile[]): Promise<void> {
  const folders = new Set(tree.map(({ file }) => dirname(file)))
  for (const folder of folders) await mkdir(join(out, folder), { recursive: true })
}

type AnswersByPath = ReadonlyMap<string, PublishedAnswer>

async function intactAnswers(
  out: string,
  tree: readonly TreeFile[],
  answers: readonly PublishedAnswer[],
): Promise<AnswersByPath> {
  const files = new Map(tree.map(({ path, file }) => [path, file]))
  const intact = new Map<string, PublishedAnswer>()
  for (const answer of answers) {
    const file = files.get(answer.path)
    if (file !== undefined && (await isIntact(join(out, file), answer))) {
      intact.set(answer.path, answer)
    }
  }
  return intact
}

function listFiles(tree: readonly TreeFile[], answers: AnswersByPath): readonly ListedFile[] {
  const files = tree.flatMap(({ path, url, file }) => {
    const answer = answers.get(path)
    return answer === undefined ? [] : [{ url, file, bytes: answer.bytes, sha256: answer.sha256 }]
  })
  return files.sort((a, b) => (a.url < b.url ? -1 : 1))
}

type WriteOptions = Pick<PublishOptions, 'out' | 'onProgress'> & {
  readonly compress: boolean
  readonly journal: Journal
  /** How many files an interrupted run had finished. */
  readonly already: number
}

async function writeAll(
  threads: readonly RenderThread[],
  todo: readonly TreeFile[],
  { out, journal, already, compress, onProgress }: WriteOptions,
): Promise<AnswersByPath> {
  const published = new Map<string, PublishedAnswer>()
  const queue = todo.values()
  const stop = new AbortController()
  const work = async (thread: RenderThread): Promise<void> => {
    for (const { path, file } of queue) {
      if (stop.signal.aborted) return
      const { length, sha256 } = await thread.write({ path, file: join(out, file), compress })
      const answer = { path, bytes: length, sha256 }
      await journal.add(answer)
      published.set(path, answer)
      onProgress?.(already + published.size, already + todo.length)
    }
  }
  const lanes = threads.flatMap((thread) => Array.from({ length: AT_ONCE }, () => thread))
  const ended = await Promise.allSettled(
    lanes.map(async (thread) => {
      await work(thread).catch((error: unknown) => {
        stop.abort()
        throw error
      })
    }),
  )
  await journal.close()
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
  return published
}
