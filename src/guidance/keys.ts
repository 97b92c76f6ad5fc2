import { randomBytes, hkdfSync } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from '../platform/errors.ts'

/** One key per purpose, all derived from one secret (RFC 5869). */
export interface Keys {
  readonly cookie: string
  readonly csrf: Buffer
  readonly token: Buffer
  readonly link: Buffer
}

/**
 * The keys of this service: from `SERVICE_SECRET_KEY`, or else from a file in the data folder that is
 * made on the first start and that only its owner can read. Another secret ends every session,
 * token and link.
 */
export function openKeys(secretKey: string | null, dataDir: string): Keys {
  const secret = secretKey ?? readOrMake(join(dataDir, 'secret.key'))
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `parapet ${purpose}`, 32))
  return {
    cookie: derive('cookie').toString('base64url'),
    csrf: derive('csrf'),
    token: derive('token'),
    link: derive('link'),
  }
}

/** `wx` lets only one of several processes that start at once make the file. */
function readOrMake(file: string): string {
  mkdirSync(join(file, '..'), { recursive: true })
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  return readFileSync(file, 'utf8')
}
