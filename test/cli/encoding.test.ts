import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parapet } from '../support/command-line.ts'
import { csvOf } from '../support/spreadsheet.ts'
import { xccdfDocument } from '../support/xccdf-document.ts'

const SRG_ID = 'SRG-TEA-000001-SMV-00001'
const ROW = { SRGID: SRG_ID, STIGID: 'SMVR-09-000001', Requirement: 'Tea – “hot” at 5 €.' }
/** In Windows-1252: the dash, the quotes and the euro sign. */
const BYTES = new Map([
  ['–', 0x96],
  ['“', 0x93],
  ['”', 0x94],
  ['€', 0x80],
])

let folder = ''
let western = ''
let wide = ''
let srg = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-'))
  western = join(folder, 'western.csv')
  wide = join(folder, 'wide.csv')
  srg = join(folder, 'srg.xml')
  const text = csvOf([ROW])
  await writeFile(
    western,
    Uint8Array.from(text, (character) => BYTES.get(character) ?? character.charCodeAt(0)),
  )
  await writeFile(wide, Buffer.from(text, 'utf16le'))
  const rules = [{ id: 'SV-1r1_rule', version: SRG_ID, cci: ['CCI-000044'] }]
  await writeFile(srg, xccdfDocument({ id: 'Samovar_SRG', kind: 'srg', rules }))
})

afterAll(() => rm(folder, { recursive: true }))

function check(file: string, ...args: readonly string[]) {
  return parapet(['check', file, '--no-advice', '--fail-on', 'warning', ...args])
}

function convert(file: string, ...args: readonly string[]) {
  return parapet(['convert', file, '--to', 'csv', '--srg', srg, ...args])
}

describe('A CSV file that is not in UTF-8', () => {
  it('is checked with a warning, and without one if its encoding is named', async () => {
    const guessed = await check(western)
    expect([guessed.code, guessed.stdout]).toEqual([1, expect.stringContaining('It is read as windows-1252')])
    expect(await check(western, '--encoding', 'windows-1252')).toMatchObject({ code: 0, stderr: '' })
  })

  it('is converted only if its encoding is named', async () => {
    const { code, stdout, stderr } = await convert(western)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('add --encoding windows-1252')
    expect((await convert(western, '--encoding', 'windows-1252')).stdout).toContain(ROW.Requirement)
    expect((await convert(wide, '--encoding', 'UTF-16')).stdout).toContain(ROW.Requirement)
  })

  it('is refused with an encoding that is not known', async () => {
    const { code, stderr } = await check(western, '--encoding', 'latin-9')
    expect(code).toBe(2)
    expect(stderr).toContain('--encoding latin-9: must be one of utf-8, windows-1252, utf-16.')
  })
})
