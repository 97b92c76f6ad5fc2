import { createHash } from 'node:crypto'

/**
 * How far file names go from the names in URLs. `readable` keeps a name wherever Linux, macOS and
 * servers without settings take it; `portable` also keeps to what Windows takes, and to ASCII.
 */
export type NameForm = 'readable' | 'portable'

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

/** Dots and blanks that hosts leave out or Windows cuts off. */
const EDGE = /^[. ](?!well-known$)|[. ]$/g

/** Readable ones, but on Windows. */
export function defaultNames(): NameForm {
  return process.platform === 'win32' ? 'portable' : 'readable'
}

/** The name of a file or folder for a name in a URL, with `~XX` for each byte that cannot stay. */
export function escapeName(name: string, form: NameForm): string {
  return escape(name, UNSAFE[form])
}

/** A name that differs from those of other names on every file system; it may be too long. */
export function escapeDistinctly(name: string, form: NameForm): string {
  return escape(name, UNSAFE_OR_FOLDED[form])
}

/** The beginning of a name, with its SHA-256. */
export function shortenName(name: string, form: NameForm): string {
  const kept = escapeDistinctly(name, form).slice(0, KEPT_OF_LONG)
  const digest = createHash('sha256').update(name).digest('hex')
  return `${kept}~~${digest}${/\.[a-z]+$/.exec(name)?.[0] ?? ''}`
}

/** Whether file systems take a name of this length. */
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
    .replace(EDGE, hex)
}

function hex(text: string): string {
  const bytes = Array.from(Buffer.from(text), (byte) => byte.toString(16).padStart(2, '0'))
  return bytes.map((byte) => `~${byte.toUpperCase()}`).join('')
}
