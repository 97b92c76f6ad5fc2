// @module-tag node

import { execFile } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openKeys } from '../../../src/guidance/parts/keys.ts'
import { builtModule } from '../../support/build.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'

const SECRET = 'a secret of the settings, long enough'

describe('The keys', () => {
  it('differ by purpose and from the secret', () => {
    const { cookie, csrf, token, link } = openKeys(SECRET, '/nowhere')
    const keys = [cookie, ...[csrf, token, link].map((key) => key.toString('base64url'))]
    expect(new Set(keys).size).toBe(4)
    for (const key of keys) expect(Buffer.from(key, 'base64url')).toHaveLength(32)
    expect(keys.join()).not.toContain(Buffer.from(SECRET).toString('base64url'))
  })

  it('depend on the secret alone', () => {
    expect(openKeys(SECRET, '/nowhere')).toEqual(openKeys(SECRET, '/elsewhere'))
    expect(openKeys(SECRET, '/nowhere')).not.toEqual(openKeys(`${SECRET}.`, '/nowhere'))
  })

  it('come from a file for its owner alone that the first start makes', async () => {
    const folder = join(await temporaryFolder(), 'new', 'folder')
    const first = openKeys(null, folder)
    const file = join(folder, 'secret.key')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toMatch(/^[\w-]{64}$/)
    expect(await readdir(folder)).toEqual(['secret.key'])
    expect(openKeys(null, folder)).toEqual(first)
    expect(openKeys(null, await temporaryFolder())).not.toEqual(first)
  })

  it('do not touch the folder when the settings have the secret', async () => {
    const folder = await temporaryFolder()
    openKeys(SECRET, folder)
    expect(await readdir(folder)).toEqual([])
  })

  it('are the same in all processes that start at once', async () => {
    const folder = await temporaryFolder()
    const program = `
      const { openKeys } = await import(${JSON.stringify(builtModule('src/guidance/parts/keys.ts'))})
      process.stdout.write(openKeys(null, ${JSON.stringify(folder)}).cookie)`
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
    const outputs = await Promise.all([run(), run(), run(), run()])
    expect(new Set(outputs.map(({ stdout }) => stdout))).toEqual(new Set([openKeys(null, folder).cookie]))
    expect(await readdir(folder)).toEqual(['secret.key'])
  })

  it.each(['', '\n', 'too short'])('are not made of a file that holds %j', async (content) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'secret.key'), content)
    const refusal = await refusalOf(() => openKeys(null, folder))
    expect(refusal.code).toBe('setting_invalid')
    expect(refusal.message).toContain('secret.key')
    expect(await readFile(join(folder, 'secret.key'), 'utf8')).toBe(content)
  })
})
