import { randomBytes, hkdfSync } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode, Refusal } from '../../platform/errors.ts'
import { specialKindOf } from '../../platform/files/file-kinds.ts'
import { makeDataFolder } from '../../platform/files/make-folder.ts'

/** In characters; also the minimum for SERVICE_SECRET_KEY. */
const MIN_LENGTH = 32

/** One key per purpose, all derived from one secret (RFC 5869). */
export interface Keys {
  readonly cookie: string
  readonly csrf: Buffer
  readonly token: Buffer
  readonly link: Buffer
  /** Encrypts the secrets of webhooks. */
  readonly webhook: Buffer
  /** Encrypts the secrets of one-time codes. */
  readonly oneTimeCode: Buffer
  /** Makes digests of recovery codes, and the names of accounts for authenticators. */
  readonly secondFactor: Buffer
  /** Makes digests of names for the log, which distinguish them without showing them. */
  readonly log: Buffer
}

/**
 * The keys of this service: from `SERVICE_SECRET_KEY`, or else from a file in the data folder, which is made on the
 * first start and which only its owner can read. With another secret, all sessions, tokens, links and one-time codes stop working.
 * A truncated file is refused: its keys could be guessed.
 */
export function openKeys(secretKey: string | null, dataDir: string): Keys {
  const secret = secretKey ?? readOrMake(dataDir)
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `parapet ${purpose}`, 32))
  return {
    cookie: derive('cookie').toString('base64url'),
    csrf: derive('csrf'),
    token: derive('token'),
    link: derive('link'),
    webhook: derive('webhook'),
    oneTimeCode: derive('one-time code'),
    secondFactor: derive('second factor'),
    log: derive('log'),
  }
}

/** The current secret; null if there is none yet. */
export function findSecret(secretKey: string | null, dataDir: string): string | null {
  return secretKey ?? readIfThere(keyFile(dataDir))
}

export function keyFile(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

function readOrMake(dataDir: string): string {
  const file = keyFile(dataDir)
  makeDataFolder(dataDir)
  const secret = readIfThere(file) ?? make(file)
  if (secret.length >= MIN_LENGTH) return secret
  throw new Refusal(
    'setting_invalid',
    `${file} holds no secret of ${MIN_LENGTH} characters. Restore it, or remove it to have another made.`,
  )
}

function readIfThere(file: string): string | null {
  const kind = specialKindOf(file)
  if (kind !== null) throw new Refusal('setting_invalid', `${file} is ${kind}, and not a file with a secret.`)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    return null
  }
}

/** If several processes start at once, one makes the file, and none reads half of it. */
function make(file: string): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 })
    linkSync(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(file, 'utf8')
}
