import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { instant } from '../../../graph/json-ld.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { NameForm } from '../../../platform/files/file-names.ts'
import {
  entriesOf,
  fileOfUrl,
  manifestEntries,
  removeFiles,
  type ManifestFile,
} from '../../../platform/files/manifest-files.ts'
import { relativeFile } from '../../../platform/files/relative-file.ts'
import { replaceFile } from '../../../platform/files/replace-file.ts'
import type { Manifest } from '../../release/manifest.ts'

const NAME = 'manifest.json'

/** Files that an earlier run has written to a folder; empty if there was none. */
export interface EarlierRun {
  readonly files: readonly string[]
  readonly compressed: boolean
  /** Files beside the answers. */
  readonly site: readonly string[]
}

const published = z.object({
  compressed: z.boolean(),
  /** Absent in older manifests, whose keys are file names. */
  names: z.string().optional(),
  site: z.array(relativeFile).default([]),
  files: manifestEntries,
})

const NO_EARLIER_RUN: EarlierRun = { files: [], compressed: false, site: [] }

/** Reads the manifest in a folder. */
export async function readEarlier(out: string): Promise<EarlierRun> {
  const text = await readFile(join(out, NAME), 'utf8').catch(() => null)
  if (text === null) return NO_EARLIER_RUN
  try {
    return parseEarlier(text)
  } catch {
    throw new Refusal('folder_unusable', `${join(out, NAME)} was not written by publish.`)
  }
}

function parseEarlier(text: string): EarlierRun {
  const { files, names, compressed, site } = published.parse(JSON.parse(text))
  const fileOf = (key: string): string => (names === undefined ? relativeFile.parse(key.slice(1)) : fileOfUrl(key))
  const listed = Object.entries(files).map(([key, { file }]) => file ?? fileOf(key))
  return { files: listed, compressed, site }
}

/**
 * Removes files of an earlier run that the next one will not write, and compressed siblings with old content; nothing else.
 * Must run before the writing, because an old name may differ from a new one only by letter case, or be a folder of it.
 * Returns the number of removed answers.
 */
export async function removeStale(
  out: string,
  earlier: EarlierRun,
  next: Pick<EarlierRun, 'files' | 'compressed'>,
): Promise<number> {
  const current = new Set(next.files)
  const stale = earlier.files.filter((file) => !current.has(file))
  const packed = earlier.compressed ? (next.compressed ? stale : earlier.files) : []
  await removeFiles(out, [...stale, ...packed.flatMap(packedSiblings)])
  return stale.length
}

/** The compressed siblings of a file. */
export function packedSiblings(file: string): readonly string[] {
  return [`${file}.gz`, `${file}.br`]
}

/** The settings and releases of a published tree. */
export interface PublishedTree {
  readonly release: Manifest
  readonly names: NameForm
  readonly compressed: boolean
  readonly site: readonly string[]
  readonly files: readonly ManifestFile[]
}

/** Written last and by one rename: all files that it lists are there. */
export async function writeManifest(out: string, tree: PublishedTree): Promise<void> {
  await replaceFile(join(out, NAME), (draft) => writeFile(draft, formatManifest(tree)))
}

function formatManifest({ release, names, compressed, site, files }: PublishedTree): string {
  const content = {
    version: release.version,
    release_date: instant(release.releaseDate),
    ontology_hash_sha256: release.sha256,
    compressed,
    names,
    site,
    files: entriesOf(files),
  }
  return `${JSON.stringify(content, null, 1)}\n`
}
