import { closeSync, openSync, readSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { messageOf, Refusal } from '../errors.ts'

const SETTINGS_FILE = 'SERVICE_SETTINGS_FILE'

/** What may also stand in a file of its own, as Docker, Kubernetes and systemd hand over secrets. */
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
export const FILE_SETTING_NAMES: readonly string[] = [
  SETTINGS_FILE,
  ...SECRET_SETTINGS.map(fileSettingOf),
]

/** In bytes: far more than settings need, and too little to be hurt by a wrong path. */
const MAX_FILE = 256 * 1024

/**
 * The variables with what the files say that they name. A variable beats its line in the settings file. Blank ones
 * count as not set.
 */
export function withFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = withoutBlank(env)
  const file = own[SETTINGS_FILE]
  const settings = file === undefined ? {} : parseEnv(readSmall(SETTINGS_FILE, file))
  const all = { ...withoutBlank(settings), ...own }
  for (const name of SECRET_SETTINGS) {
    const path = all[fileSettingOf(name)]
    if (path === undefined) continue
    if (all[name] !== undefined)
      throw refusal(fileSettingOf(name), `must not be set together with ${name}`)
    all[name] = readSecret(fileSettingOf(name), path)
  }
  return all
}

function fileSettingOf(name: string): string {
  return `${name}_FILE`
}

function withoutBlank(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value = '']) => value.trim() !== ''))
}

/** Without the line break that editors put at the end. An empty file would pass for a secret that is not set. */
function readSecret(name: string, path: string): string {
  const secret = readSmall(name, path).replace(/\r?\n$/, '')
  if (secret.trim() === '') throw refusal(name, 'must name a file that is not empty')
  return secret
}

function readSmall(name: string, path: string): string {
  const bytes = Buffer.alloc(MAX_FILE + 1)
  const size = readStart(name, path, bytes)
  if (size > MAX_FILE) throw refusal(name, `must name a file of at most ${MAX_FILE} bytes`)
  return bytes.toString('utf8', 0, size)
}

/** Reads until the buffer is full or the file ends, which a pipe does only after several reads. */
function readStart(name: string, path: string, bytes: Buffer): number {
  try {
    const file = openSync(path, 'r')
    try {
      let size = 0
      for (let read = -1; read !== 0 && size < bytes.length; size += read)
        read = readSync(file, bytes, size, bytes.length - size, null)
      return size
    } finally {
      closeSync(file)
    }
  } catch (error) {
    // Without the path, which is the secret itself where somebody has confounded the two.
    const code = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error)
    throw refusal(name, `must name a file that can be read (${code})`)
  }
}

function refusal(name: string, message: string): Refusal {
  return new Refusal('setting_invalid', `${name}: ${message}.`)
}
