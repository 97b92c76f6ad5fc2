import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Refusal } from '../../../../platform/errors.ts'
import type { NameForm } from '../../../../platform/files/file-names.ts'
import {
  entriesOf,
  fileOfUrl,
  manifestEntries,
  removeFiles,
  type ManifestFile,
} from '../../../../platform/files/manifest-files.ts'
import { relativeFile } from '../../../../platform/files/relative-file.ts'
import { replaceFile } from '../../../../platform/files/replace-file.ts'

/** The manifest of the ontology is another file, written by another command. */
const MANIFEST = 'catalogue-manifest.json'
/** Lists the files that a run is about to write, in case it is interrupted before the manifest. */
const JOURNAL = '.catalogue-journal'

const manifest = z.object({ files: manifestEntries })
const journal = z.array(relativeFile)

/** Returns the names of files that earlier runs have written, also interrupted ones. */
export async function readEarlier(out: string): Promise<readonly string[]> {
  const fileNames = await readList(join(out, MANIFEST), (content) =>
    Object.entries(manifest.parse(content).files).map(([url, { file }]) => file ?? fileOfUrl(url)),
  )
  return [...new Set([...fileNames, ...(await readList(join(out, JOURNAL), (content) => journal.parse(content)))])]
}

async function readList(path: string, read: (content: unknown) => readonly string[]): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return []
  try {
    return read(JSON.parse(text))
  } catch {
    throw new Refusal('folder_unusable', `${path} was not written by publish.`)
  }
}

/**
 * Removes files of earlier runs that this one will not write, and nothing else; returns their number. Must run before
 * the writing, because an old name may differ from a new one only by letter case, or be a folder of it.
 */
export async function removeStale(
  out: string,
  earlier: readonly string[],
  current: ReadonlySet<string>,
): Promise<number> {
  const stale = earlier.filter((file) => !current.has(file))
  await removeFiles(out, stale)
  return stale.length
}

export async function writeJournal(out: string, files: Iterable<string>): Promise<void> {
  await replaceFile(join(out, JOURNAL), (draft) => writeFile(draft, JSON.stringify([...files])))
}

/** Written last, by one rename, so that all listed files exist. */
export async function writeManifest(out: string, names: NameForm, files: readonly ManifestFile[]): Promise<void> {
  const sorted = files.toSorted((a, b) => (a.url < b.url ? -1 : 1))
  const content = { names, files: entriesOf(sorted) }
  await replaceFile(join(out, MANIFEST), (draft) => writeFile(draft, `${JSON.stringify(content, null, 1)}\n`))
  await rm(join(out, JOURNAL), { force: true })
}
