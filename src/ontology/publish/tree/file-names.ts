import {
  escapeDistinctly,
  escapeName,
  foldName,
  isShort,
  shortenName,
  type NameForm,
} from '../../../platform/files/file-names.ts'
import { getOrMake } from '../../../platform/get-or-make.ts'
import type { ReleasePath } from '../../render/paths.ts'

/** The file for each path, below the output folder. */
export type FileNames = ReadonlyMap<ReleasePath, string>

// Not in Unicode's case folding, where more than ASCII equals a letter of ASCII.
const IRI = /^([a-z][a-z0-9+.-]*:)\/\//i

/** As folders, it would have the same name as the IRI with two slashes. */
const ONE_SLASH = /^[a-z][a-z0-9+.-]*:\/(?!\/)/i

/** May be the name of a folder or file: not empty, not hidden, nothing that servers resolve. */
const SEGMENT = /^(?:[^.]|\.well-known$)/u

/**
 * Names the files of a tree. No two names differ only by letter case or Unicode normalisation, and none is a folder of
 * another. A name is decoded by reading each `~XX` as a byte of UTF-8 and doubling the slash after the scheme of a
 * nested IRI. A name that is too long ends with its SHA-256.
 */
export function nameFiles(paths: readonly ReleasePath[], form: NameForm): FileNames {
  const files = new Map(paths.map((path) => [path, firstChoice(path, form)]))
  for (const path of findClashes(files)) files.set(path, distinctChoice(path, form))
  if (findClashes(files).length > 0) throw new Error('Two published files would share a name')
  return files
}

function firstChoice(path: ReleasePath, form: NameForm): string {
  const { folder, name } = path
  // Decomposed characters come back composed from some file systems, and the other way round.
  if (name !== name.normalize('NFC')) return distinctChoice(path, form)
  const escaped = segmentsOf(name).map((segment) => escapeName(segment, form))
  return pathBelow(folder, escaped.every(isShort) ? escaped.join('/') : shortenName(name, form))
}

/** Splits a name at slashes into folders and a file; a name that must be escaped stays whole. */
function segmentsOf(name: string): readonly string[] {
  const segments = name.replace(IRI, '$1/').split('/')
  const isSafe = !ONE_SLASH.test(name) && segments.every((segment) => SEGMENT.test(segment))
  return isSafe ? segments : [name]
}

function distinctChoice({ folder, name }: ReleasePath, form: NameForm): string {
  const escaped = escapeDistinctly(name, form)
  return pathBelow(folder, isShort(escaped) ? escaped : shortenName(name, form))
}

function pathBelow(folder: string, name: string): string {
  return folder.slice(1) + name
}

/** Finds paths whose file or folder equals that of another path on some file system. */
function findClashes(files: FileNames): readonly ReleasePath[] {
  const spellings = new Map<string, Set<string>>()
  for (const file of files.values()) {
    for (const [key, spelling] of nodesOf(file)) {
      getOrMake(spellings, key, () => new Set()).add(spelling)
    }
  }
  const isShared = (file: string): boolean => nodesOf(file).some(([key]) => (spellings.get(key)?.size ?? 0) > 1)
  return [...files].filter(([, file]) => isShared(file)).map(([path]) => path)
}

/** The file and the folders above it: folded, and as they are spelt; a folder ends with a slash. */
function nodesOf(file: string): readonly (readonly [key: string, spelling: string])[] {
  const names = file.split('/')
  const fold = foldName(file).split('/')
  return names.map((_, index) => [
    fold.slice(0, index + 1).join('/'),
    names.slice(0, index + 1).join('/') + (index < names.length - 1 ? '/' : ''),
  ])
}
