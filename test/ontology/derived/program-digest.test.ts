import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { digestOf, programDigest } from '../../../src/ontology/derived/program-digest.ts'
import { temporaryFolder } from '../../support/folder.ts'

describe('The digest of the program', () => {
  it('changes with code, queries and libraries, and with nothing else', async () => {
    const home = await temporaryFolder()
    const libraries = join(home, 'package.json')
    for (const room of ['ontology/views', 'graph', 'http', 'platform', 'contracts'])
      await mkdir(join(home, room), { recursive: true })
    await writeFile(libraries, '{}')
    const digests = [await digestOf(home, libraries)]
    const after = async (file: string, text: string): Promise<string> => {
      await writeFile(join(home, file), text)
      return digestOf(home, libraries)
    }
    digests.push(await after('ontology/views/a.ts', 'one'))
    digests.push(await after('ontology/views/a.ts', 'two'))
    digests.push(await after('ontology/views/a.rq', 'SELECT'))
    digests.push(await after('package.json', '{"dependencies":{}}'))
    expect(new Set(digests).size).toBe(digests.length)
    expect(await after('ontology/views/a.js.map', 'map')).toBe(digests.at(-1))
  })

  it('changes with the code of a build', async () => {
    const home = await temporaryFolder()
    const libraries = join(home, 'package.json')
    for (const folder of ['programs', 'ontology']) await mkdir(join(home, folder))
    await writeFile(libraries, '{}')
    await writeFile(join(home, 'programs/main.js'), 'one')
    const before = await digestOf(home, libraries)
    await writeFile(join(home, 'programs/main.js'), 'two')
    const after = await digestOf(home, libraries)
    await writeFile(join(home, 'ontology/a.rq'), 'SELECT')
    expect(new Set([before, after, await digestOf(home, libraries)]).size).toBe(3)
  })

  it('is that of this program', async () => {
    expect(await programDigest()).toMatch(/^[0-9a-f]{64}$/)
  })
})
