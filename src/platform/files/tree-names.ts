import { getOrMake } from '../get-or-make.ts'
import { escapeDistinctly, escapeName, foldName, isShort, shortenName, type NameForm } from './file-names.ts'

/** The file or folder of a path segment; folders end with a slash here. */
type Entries = Map<string, string>

/**
 * Names the files of a tree by their encoded paths: each segment becomes one folder or file, so that no name leads out of
 * the tree. Names that are equal on some file system are escaped.
 */
export function nameTree(urls: readonly string[], form: NameForm): ReadonlyMap<string, string> {
  const folders = new Map<string, Entries>()
  for (const url of urls)
    for (const { folder, entry } of stepsOf(url)) getOrMake(folders, folder, () => new Map()).set(entry, '')
  for (const entries of folders.values()) nameEntries(entries, form)
  return new Map(
    urls.map((url) => [
      url,
      stepsOf(url)
        .map(({ folder, entry }) => folders.get(folder)?.get(entry) ?? '')
        .join('/'),
    ]),
  )
}

/** The folders on the path of a file, by their encoded paths, each with the decoded name of its entry. */
function stepsOf(url: string): readonly { readonly folder: string; readonly entry: string }[] {
  const segments = url.slice(1).split('/')
  return segments.map((segment, index) => ({
    folder: segments.slice(0, index).join('/'),
    entry: decodeURIComponent(segment) + (index < segments.length - 1 ? '/' : ''),
  }))
}

function nameEntries(entries: Entries, form: NameForm): void {
  for (const entry of entries.keys()) entries.set(entry, firstChoice(entry.replace(/\/$/, ''), form))
  for (const entry of findClashes(entries)) entries.set(entry, distinctChoice(entry, form))
  if (findClashes(entries).length > 0) throw new Error('Two published files would share a name')
}

function firstChoice(name: string, form: NameForm): string {
  // Decomposed characters come back composed from some file systems, and the other way round.
  if (name === '' || name !== name.normalize('NFC')) return distinctChoice(name, form)
  const escaped = escapeName(name, form)
  return isShort(escaped) ? escaped : shortenName(name, form)
}

function distinctChoice(name: string, form: NameForm): string {
  const escaped = escapeDistinctly(name, form)
  return name !== '' && isShort(escaped) ? escaped : shortenName(name, form)
}

function findClashes(entries: Entries): readonly string[] {
  const counts = new Map<string, number>()
  for (const name of entries.values()) counts.set(foldName(name), (counts.get(foldName(name)) ?? 0) + 1)
  return [...entries].filter(([, name]) => (counts.get(foldName(name)) ?? 0) > 1).map(([entry]) => entry)
}
