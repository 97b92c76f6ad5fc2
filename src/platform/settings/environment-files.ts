import { closeSync, openSync, readSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { messageOf, Refusal } from '../errors.ts'
import { specialKindOf } from '../files/file-kinds.ts'

const SETTINGS_FILE = 'SERVICE_SETTINGS_FILE'

/** Settings that can also be read from a file, because Docker, Kubernetes and systemd pass secrets in files. */
const SECRET_SETTINGS = [
  'SERVICE_DATABASE_URL',
  'SERVICE_SECRET_KEY',
  'SERVICE_ADMIN_PASSWORD',
  'SERVICE_OIDC_CLIENT_SECRET',
  'SERVICE_LDAP_BIND_PASSWORD',
  'SERVICE_SMTP_URL',
  'SERVICE_SYNC_PROXY',
] as const

/** Variables that name a file with settings in it. */
export const FILE_SETTING_NAMES: readonly string[] = [SETTINGS_FILE, ...SECRET_SETTINGS.map(fileSettingOf)]

/** In bytes: far more than settings need. The limit protects from a wrong path. */
const MAX_FILE = 256 * 1024

/**
 * The variables, with values from the files that they name. A variable takes precedence over the settings file. Blank
 * variables count as not set.
 */
export function withFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ownSettings = withoutBlank(env)
  const file = ownSettings[SETTINGS_FILE]
  const settings = file === undefined ? {} : parseEnv(readEntries(file))
  const values = { ...withoutBlank(settings), ...ownSettings }
  for (const name of SECRET_SETTINGS) {
    const path = values[fileSettingOf(name)]
    if (path === undefined) continue
    if (values[name] !== undefined) throw refusal(fileSettingOf(name), `must not be set together with ${name}`)
    values[name] = readSecret(fileSettingOf(name), path)
  }
  return values
}

function fileSettingOf(name: string): string {
  return `${name}_FILE`
}

function withoutBlank(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value = '']) => value.trim() !== ''))
}

/** Removes the line break at the end. Refuses an empty file, which would count as a secret that is not set. */
function readSecret(name: string, path: string): string {
  const secret = readSmall(name, path)
    .toString('utf8')
    .replace(/\r?\n$/, '')
  if (secret.trim() === '') throw refusal(name, 'must name a file that is not empty')
  return secret
}

/** A blank line, a comment, or a setting, perhaps with a comment; a value in quotes may have several lines. */
const ENTRY =
  /[ \t]*(?:(?:export[ \t]+)?[\w.-]+[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`|[^"'`\s].*)?[ \t]*)?(?:#.*)?(?:\n|$)/y

/**
 * The settings of a file, without comments: Node's parser reads an indented comment as part of the next name. Lines that
 * it would silently ignore are refused, because without a setting the service may start with an empty database.
 */
function readEntries(path: string): string {
  const text = textOf(readSmall(SETTINGS_FILE, path)).replaceAll('\r\n', '\n')
  const entries: string[] = []
  ENTRY.lastIndex = 0
  for (let start = 0; start < text.length; start = ENTRY.lastIndex) {
    const entry = ENTRY.exec(text)?.[0].trim()
    if (entry === undefined) {
      const line = text.slice(0, start).split('\n').length
      throw refusal(SETTINGS_FILE, `line ${line} of the file is not NAME=value, or lacks a quote`)
    }
    if (!entry.startsWith('#')) entries.push(entry)
  }
  return entries.join('\n')
}

/** Decodes UTF-8 without a byte order mark, which would be part of the first name. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refusal(SETTINGS_FILE, 'must name a file that is text in UTF-8')
  }
}

function readSmall(name: string, path: string): Buffer {
  const kind = specialKindOf(path)
  if (kind !== null) throw refusal(name, `must name a regular file, and this is ${kind}`)
  const bytes = Buffer.alloc(MAX_FILE + 1)
  const size = readStart(name, path, bytes)
  if (size > MAX_FILE) throw refusal(name, `must name a file of at most ${MAX_FILE} bytes`)
  return bytes.subarray(0, size)
}

/** Reads until the buffer is full or the file ends. */
function readStart(name: string, path: string, bytes: Buffer): number {
  try {
    const file = openSync(path, 'r')
    try {
      let size = 0
      for (let byteCount = -1; byteCount !== 0 && size < bytes.length; size += byteCount)
        byteCount = readSync(file, bytes, size, bytes.length - size, null)
      return size
    } finally {
      closeSync(file)
    }
  } catch (error) {
    // The message does not repeat the path, because somebody may have set the secret itself instead.
    const code = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error)
    throw refusal(name, `must name a file that can be read (${code})`)
  }
}

function refusal(name: string, message: string): Refusal {
  return new Refusal('setting_invalid', `${name}: ${message}.`)
}
