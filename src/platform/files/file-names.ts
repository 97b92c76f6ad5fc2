import { createHash } from 'node:crypto'

/**
 * The allowed characters of file names. `readable` keeps all that Linux, macOS and web servers without settings allow;
 * `portable` is limited to ASCII and to names that Windows allows.
 */
export type NameForm = 'readable' | 'portable'

/** Longest file name in bytes: file systems allow 255, and drafts and compressed siblings have longer names. */
const MAX_NAME = 200

/** Number of characters of a long name that stay before its digest. */
const KEPT_OF_LONG = 100

/** Characters that Windows or static hosts refuse, or that have a meaning for servers; and our own escape character. */
const REFUSED_CHARACTERS = '[\\u0000-\\u001f\\u007f-\\u009f"#$*/<>?\\\\|~]'
const BEYOND_ASCII = '[^\\u0000-\\u007f]'

const UNSAFE = {
  readable: new RegExp(REFUSED_CHARACTERS, 'gu'),
  portable: new RegExp(`${REFUSED_CHARACTERS}|[:%]|${BEYOND_ASCII}`, 'gu'),
}

/** Also escapes characters whose difference some file systems ignore. */
const UNSAFE_OR_FOLDED = {
  readable: new RegExp(`${REFUSED_CHARACTERS}|[A-Z]|${BEYOND_ASCII}`, 'gu'),
  portable: new RegExp(`${REFUSED_CHARACTERS}|[A-Z:%]|${BEYOND_ASCII}`, 'gu'),
}

/** Names of devices on Windows, whatever follows the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/iu

/** Dots and blanks that hosts ignore or Windows removes. */
const REFUSED_EDGES = /^[. ](?!well-known$)|[. ]$/g

/** The default form of names: portable on Windows, elsewhere readable. */
export function defaultNames(): NameForm {
  return process.platform === 'win32' ? 'portable' : 'readable'
}

/** The name of a file or folder for a name in a URL, with `~XX` for each byte that cannot stay. */
export function escapeName(name: string, form: NameForm): string {
  return escape(name, UNSAFE[form])
}

/** Escapes a name so that it differs from all others on every file system; the result may be too long. */
export function escapeDistinctly(name: string, form: NameForm): string {
  return escape(name, UNSAFE_OR_FOLDED[form])
}

/** The beginning of a name, with its SHA-256. */
export function shortenName(name: string, form: NameForm): string {
  const beginning = escapeDistinctly(name, form).slice(0, KEPT_OF_LONG)
  const digest = createHash('sha256').update(name).digest('hex')
  return `${beginning}~~${digest}${/\.[a-z]+$/.exec(name)?.[0] ?? ''}`
}

/** Whether file systems allow a name of this length. */
export function isShort(name: string): boolean {
  return Buffer.byteLength(name) <= MAX_NAME
}

/** The name as file systems compare it that ignore case, normalisation and ignorable characters. */
export function foldName(file: string): string {
  const bare = file.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return bare.toUpperCase().toLowerCase().normalize('NFD')
}

function escape(name: string, unsafe: RegExp): string {
  return name
    .replace(unsafe, hex)
    .replace(DEVICE, (device) => hex(device.slice(0, 1)) + device.slice(1))
    .replace(REFUSED_EDGES, hex)
}

function hex(text: string): string {
  const bytes = Array.from(Buffer.from(text), (byte) => byte.toString(16).padStart(2, '0'))
  return bytes.map((byte) => `~${byte.toUpperCase()}`).join('')
}
