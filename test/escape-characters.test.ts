import { writeFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { escapeCharacters } from '../scripts/escape-characters.ts'
import { temporaryFolder } from './support/folder.ts'

const PROGRAM = String.raw`
export const said = [
  '“’…” \’ \\’ 😀', 'a’–’b’–’'.replace(/[’–]+\’$/, ''), ${'`a’`'},
]
`

async function saidBy(file: string): Promise<unknown> {
  const program: unknown = await import(pathToFileURL(file).href)
  return program
}

describe('A program as it is deployed', () => {
  it('has the same meaning with characters of one byte each', async () => {
    const folder = await temporaryFolder()
    const [source, plain] = [join(folder, 'source.mjs'), join(folder, 'plain.mjs')]
    await writeFile(source, PROGRAM)
    const output = { file: plain, comments: false, minify: false }
    await build({
      input: source,
      experimental: { nativeMagicString: true },
      plugins: [escapeCharacters()],
      output,
      logLevel: 'silent',
    })
    const text = await readFile(plain, 'utf8')
    expect(text).not.toMatch(/[^\0-\xff]/)
    const [before, after] = await Promise.all([source, plain].map(saidBy))
    expect(after).toEqual(before)
  })
})
