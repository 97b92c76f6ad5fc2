import { writeFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { plainProgram } from '../scripts/plain-program.ts'
import { temporaryFolder } from './support/folder.ts'

const PROGRAM = String.raw`
const a = 1
const own = { y: 2, x: 9 }
export const said = [
  '“’…” \’ \\’ 😀', 'a’–’b’–’'.replace(/[’–]+\’$/, ''), ${'`${a}’`'},
  { ...{ a, b: 2, }, ...own, ...{ ...{ c: 3 }, x: 1 }, ...{} },
  { ...{ __proto__: own }, get g() { return 4 } },
  { ...{ get h() { return a } }, z: [...'ab'] },
  Object.getOwnPropertyNames({ ...{ ['__proto__']: 5 } }),
]
`

async function saidBy(file: string): Promise<unknown> {
  const program: unknown = await import(pathToFileURL(file).href)
  return program
}

describe('A program as it is deployed', () => {
  it('says the same, with one byte for a character and without what is spread for nothing', async () => {
    const folder = await temporaryFolder()
    const [source, plain] = [join(folder, 'source.mjs'), join(folder, 'plain.mjs')]
    await writeFile(source, PROGRAM)
    const output = { file: plain, comments: false, minify: false }
    await build({
      input: source,
      experimental: { nativeMagicString: true },
      plugins: [plainProgram()],
      output,
      logLevel: 'silent',
    })
    const text = await readFile(plain, 'utf8')
    expect(text).not.toMatch(/[^\0-\xff]/)
    expect(text.match(/\.\.\.\{/g)).toHaveLength(1)
    const [before, after] = await Promise.all([source, plain].map(saidBy))
    expect(after).toEqual(before)
  })
})
