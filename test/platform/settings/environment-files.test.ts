// @module-tag node

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSecrets, readSettings, unknownSettings } from '../../../src/platform/settings/settings.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'

const KEY = 'a key of at least thirty-two characters'

async function fileWith(text: string | Buffer): Promise<string> {
  const file = join(await temporaryFolder(), 'settings')
  await writeFile(file, text)
  return file
}

describe('Settings from files', () => {
  it('take a secret from its own file, without the line break at its end', async () => {
    const SERVICE_SECRET_KEY_FILE = await fileWith(`${KEY}\r\n`)
    expect(readSecrets({ SERVICE_SECRET_KEY_FILE }).secretKey).toBe(KEY)
    expect(unknownSettings({ SERVICE_SECRET_KEY_FILE })).toEqual([])
  })

  it('leave blanks in a secret as they are', async () => {
    const SERVICE_ADMIN_PASSWORD_FILE = await fileWith(' two words \n')
    const env = { SERVICE_ADMIN_EMAIL: 'ada@example.org', SERVICE_ADMIN_PASSWORD_FILE }
    expect(readSecrets(env).admin?.password).toBe(' two words ')
  })

  it('check the content of a file like a variable, and never repeat it', async () => {
    const env = { SERVICE_DATABASE_URL_FILE: await fileWith('mysql://ada:wonderland@db') }
    const { message } = await refusalOf(() => readSecrets(env))
    expect(message).toMatch(/^SERVICE_DATABASE_URL: must/)
    expect(message).not.toContain('wonderland')
  })

  it.each([
    ['', 'not empty'],
    [' \n', 'not empty'],
    ['x'.repeat(300_000), 'at most'],
  ])('refuse a secret’s file with %j', async (text, said) => {
    const env = { SERVICE_SECRET_KEY_FILE: await fileWith(text) }
    const { code, message } = await refusalOf(() => readSettings(env))
    expect(code).toBe('setting_invalid')
    expect(message).toMatch(/^SERVICE_SECRET_KEY_FILE: must name a file/)
    expect(message).toContain(said)
  })

  it('refuse a secret that is set twice', async () => {
    const env = { SERVICE_SECRET_KEY: KEY, SERVICE_SECRET_KEY_FILE: await fileWith(KEY) }
    const { message } = await refusalOf(() => readSettings(env))
    expect(message).toBe('SERVICE_SECRET_KEY_FILE: must not be set together with SERVICE_SECRET_KEY.')
  })

  it('are read from one file, over which the environment takes precedence', async () => {
    const key = await fileWith(KEY)
    const SERVICE_SETTINGS_FILE = await fileWith(
      `# Ours\nSERVICE_PORT=4000\nSERVICE_HOST="0.0.0.0"\nSERVICE_PROT=1\nHOME=/\n` +
        `SERVICE_DRAIN_SECONDS=\nSERVICE_SECRET_KEY_FILE=${key}\n`,
    )
    const env = { SERVICE_SETTINGS_FILE, SERVICE_PORT: '5000' }
    expect(readSettings(env)).toMatchObject({ port: 5000, host: '0.0.0.0', drainMs: 5000 })
    expect(readSecrets(env).secretKey).toBe(KEY)
    expect(unknownSettings(env)).toEqual(['SERVICE_PROT'])
  })

  it('are read from a file of any editor: with a byte order mark, CRLF, quotes, comments', async () => {
    const SERVICE_SETTINGS_FILE = await fileWith(
      '\ufeffSERVICE_PORT=4000\r\n\r\n  # Ours\r\nexport SERVICE_HOST = "0.0.0.0" # all\r\n' +
        'OTHERS=\'one\r\ntwo\'\r\nSERVICE_DRAIN_SECONDS=#\r\nOTHER=a "b" c',
    )
    expect(readSettings({ SERVICE_SETTINGS_FILE })).toMatchObject({ port: 4000, host: '0.0.0.0' })
  })

  it.each<[string, string | Buffer, string]>([
    ['a line without a value', 'A=1\n\nSERVICE_PORT 4000\n', 'line 3'],
    ['a quote that is not closed', 'A="x\ny"\nSERVICE_DATA_DIR="/data\nB=1\n', 'line 3'],
    ['more behind a quote', 'SERVICE_DATA_DIR="/da"ta\n', 'line 1'],
    ['no name', '=x\n', 'line 1'],
    ['UTF-16', Buffer.from('\ufeffSERVICE_PORT=4000\n', 'utf16le'), 'UTF-8'],
    ['UTF-16 without a mark', Buffer.from('SERVICE_PORT=4000\n', 'utf16le'), 'line 1'],
  ])('are not taken from a file with %s', async (_what, text, said) => {
    const env = { SERVICE_SETTINGS_FILE: await fileWith(text) }
    const { code, message } = await refusalOf(() => readSettings(env))
    expect(code).toBe('setting_invalid')
    expect(message).toContain(said)
    expect(message).not.toContain('data')
  })
})
