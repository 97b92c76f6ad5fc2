import { createHash } from 'node:crypto'
import type { ReleasePath } from '../../render/paths.ts'

/**
 * How far file names go from the names in URLs. `readable` keeps a name wherever Linux, macOS and
 * servers without settings take it; `portable` also keeps to what Windows takes, and to ASCII.
 */
export type NameForm = 'readable' | 'portable'

/** The file for each path, below the output folder. */
export type FileNames = ReadonlyMap<ReleasePath, string>

/** Longest file name, in bytes: file systems take 255, and drafts and packed siblings add to it. */
const MAX_NAME = 200

/** Characters that are kept of a name that is too long, before its digest. */
const KEPT_OF_LONG = 100

/** Characters that Windows or static hosts refuse, or that servers read as something else; and our own escape. */
const ALWAYS = '[\\u0000-\\u001f\\u007f-\\u009f"#$*/<>?\\\\|~]'
const BEYOND_ASCII = '[^\\u0000-\\u007f]'

const UNSAFE = {
  readable: new RegExp(ALWAYS, 'gu'),
  portable: new RegExp(`${ALWAYS}|[:%]|${BEYOND_ASCII}`, 'gu'),
}

/** Also characters that make names differ which some file system takes for the same. */
const UNSAFE_OR_FOLDED = {
  readable: new RegExp(`${ALWAYS}|[A-Z]|${BEYOND_ASCII}`, 'gu'),
  portable: new RegExp(`${ALWAYS}|[A-Z:%]|${BEYOND_ASCII}`, 'gu'),
}

/** Names of devices on Windows, whatever follows the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/iu

// Not in Unicode's case folding, where more than ASCII equals a letter of ASCII.
const IRI = /^([a-z][a-z0-9+.-]*:)\/\//i

/** As folders, its name would be the same as that of the IRI with two slashes. */
const ONE_SLASH = /^[a-z][a-z0-9+.-]*:\/(?!\/)/i

/** May be the name of a folder or file: not empty, not hidden, nothing that servers resolve. */
const SEGMENT = /^(?:[^.]|\.well-known$)/u

/** Dots and blanks that hosts leave out or Windows cuts off. */
const EDGE = /^[. ](?!well-known$)|[. ]$/g

/**
 * Names the files of a tree. No two differ only by letter case or Unicode normalisation, and none is
 * a folder of another. A name gives itself back when each `~XX` is read as a byte of UTF-8 and the
 * slash after the scheme of a nested IRI is doubled; one that is too long ends with its SHA-256.
 */
export function nameFiles(paths: readonly ReleasePath[], form: NameForm): FileNames {
  const files = new Map(paths.map((path) => [path, firstChoice(path, form)]))
  for (const path of clashing(files)) files.set(path, distinctChoice(path, form))
  if (clashing(files).length > 0) throw new Error('Two published files would share a name')
  return files
}

/** The name as file systems compare it that ignore case, normalisation and ignorable characters. */
function folded(file: string): string {
  const bare = file.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return bare.toUpperCase().toLowerCase().normalize('NFD')
}

function firstChoice(path: ReleasePath, form: NameForm): string {
  const { folder, name } = path
  // Decomposed characters come back composed from some file systems, and the other way round.
  if (name !== name.normalize('NFC')) return distinctChoice(path, form)
  const escaped = segmentsOf(name).map((segment) => escape(segment, UNSAFE[form]))
  return pathBelow(folder, escaped.every(isShort) ? escaped.join('/') : shortened(name, form))
}

/** The folders and the file that a name with slashes makes; or the name whole, to be escaped. */
function segmentsOf(name: string): readonly string[] {
  const segments = name.replace(IRI, '$1/').split('/')
  const isSafe = !ONE_SLASH.test(name) && segments.every((segment) => SEGMENT.test(segment))
  return isSafe ? segments : [name]
}

function distinctChoice({ folder, name }: ReleasePath, form: NameForm): string {
  const escaped = escape(name, UNSAFE_OR_FOLDED[form])
  return pathBelow(folder, isShort(escaped) ? escaped : shortened(name, form))
}

function shortened(name: string, form: NameForm): string {
  const kept = escape(name, UNSAFE_OR_FOLDED[form]).slice(0, KEPT_OF_LONG)
  const digest = createHash('sha256').update(name).digest('hex')
  return `${kept}~~${digest}${/\.[a-z]+$/.exec(name)?.[0] ?? ''}`
}

function pathBelow(folder: string, name: string): string {
  return folder.slice(1) + name
}

function isShort(name: string): boolean {
  return Buffer.byteLength(name) <= MAX_NAME
}

function escape(name: string, unsafe: RegExp): string {
  return name
    .replace(unsafe, hex)
    .replace(DEVICE, (device) => hex(device.slice(0, 1)) + device.slice(1))
    .replace(EDGE, hex)
}

function hex(text: string): string {
  const bytes = Array.from(Buffer.from(text), (byte) => byte.toString(16).padStart(2, '0'))
  return bytes.map((byte) => `~${byte.toUpperCase()}`).join('')
}

/** Paths whose file or folder is the same as that of another path to some file system. */
function clashing(files: FileNames): readonly ReleasePath[] {
  const spellings = new Map<string, Set<string>>()
  for (const file of files.values()) {
    for (const [key, spelling] of nodesOf(file)) {
      const known = spellings.get(key)
      if (known === undefined) spellings.set(key, new Set([spelling]))
      else known.add(spelling)
    }
  }
  const isShared = (file: string): boolean => nodesOf(file).some(([key]) => (spellings.get(key)?.size ?? 0) > 1)
  return [...files].filter(([, file]) => isShared(file)).map(([path]) => path)
}

/** The file and the folders above it: folded, and as they are spelt; a folder ends with a slash. */
function nodesOf(file: string): readonly (readonly [key: string, spelling: string])[] {
  const names = file.split('/')
  const fold = folded(file).split('/')
  return names.map((_, index) => [
    fold.slice(0, index + 1).join('/'),
    names.slice(0, index + 1).join('/') + (index < names.length - 1 ? '/' : ''),
  ])
}
