import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { runProgram, type Ended } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folder.ts'
import { environmentOf, freshDatabase, type FreshDatabase } from '../support/fresh-database.ts'
import { containing, matching } from '../support/matchers.ts'
import { CCIS, cciList, oscalCatalog } from '../support/reference-data.ts'
import { xccdfDocument } from '../support/xccdf-document.ts'
import { zipOf } from '../support/zip.ts'

const TEAPOT = xccdfDocument({ rules: 3 })

/** Runs the command as a user does, on files of these names. */
async function run(
  database: FreshDatabase,
  files: Readonly<Record<string, string | Uint8Array>>,
  ...options: readonly string[]
): Promise<Ended> {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  const paths = Object.keys(files).map((name) => join(folder, name))
  return importPaths(database, [...paths, ...options])
}

function importPaths(database: FreshDatabase, args: readonly string[]): Promise<Ended> {
  return runProgram('src/commands/import.ts', args, environmentOf(database))
}

/** The table without its paths: outcome, benchmark and number of rules. */
function outcomes({ stdout }: Ended): readonly string[] {
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines
    .filter((line) => /^(?:imported|already imported|replaced|refused|skipped) /.test(line))
    .map((line) => line.replace(/\s*\/\S*\//, ' ').replaceAll(/\s+/g, ' '))
}

describe('npm run import', () => {
  it('imports files and zips with a line for each, and changes nothing the second time', async () => {
    const fresh = await freshDatabase()
    const files = {
      'teapot.xml': TEAPOT,
      'library.zip': await zipOf({
        'kettle.xml': xccdfDocument({ id: 'Kettle_STIG' }),
        'inner.zip': await zipOf({ 'tea.xml': xccdfDocument({ id: 'Tea_SRG', kind: 'srg' }) }),
      }),
    }
    const first = await run(fresh, files)
    expect(first).toMatchObject({ code: 0 })
    expect(outcomes(first)).toEqual([
      'imported Teapot_STIG V1R1 3 teapot.xml',
      'imported Kettle_STIG V1R1 2 library.zip kettle.xml',
      'imported Tea_SRG V1R1 2 library.zip inner.zip/tea.xml',
    ])
    const second = await run(fresh, files)
    expect(second).toMatchObject({ code: 0 })
    expect(outcomes(second).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'already imported Teapot_STIG',
      'already imported Kettle_STIG',
      'already imported Tea_SRG',
    ])
    expect(await fresh.run('select count(*) as n from benchmark_rules')).toEqual([{ n: 7 }])
    expect(await fresh.run("select distinct via from audits where auditable_type = 'STIG'")).toEqual([
      { via: 'command' },
    ])
  })

  it('goes on after a file that is refused, and ends with 1', async () => {
    const fresh = await freshDatabase()
    const ended = await run(fresh, {
      'broken.xml': TEAPOT.slice(0, -20),
      'mixed.zip': await zipOf({ 'a-xccdf.xml': '<a/>', 'b.xml': xccdfDocument({ id: 'B_STIG' }) }),
      'teapot.xml': TEAPOT,
    })
    expect(ended).toMatchObject({ code: 1 })
    const [broken, member, ...good] = outcomes(ended)
    expect(broken).toMatch(/^refused broken\.xml: .* \[xml_not_well_formed\]$/)
    expect(member).toMatch(/^refused mixed\.zip a-xccdf\.xml: .* \[not_a_benchmark\]$/)
    expect(good).toEqual(['imported B_STIG V1R1 2 mixed.zip b.xml', 'imported Teapot_STIG V1R1 3 teapot.xml'])
    expect(ended.stdout).toContain('2 of 4 refused.')
    expect(ended.stdout + ended.stderr).not.toContain('    at ')
    expect(await fresh.run('select benchmark_id from benchmarks order by id')).toEqual([
      { benchmark_id: 'B_STIG' },
      { benchmark_id: 'Teapot_STIG' },
    ])
  })

  it('imports reference data together with benchmarks, and changes nothing the second time', async () => {
    const fresh = await freshDatabase()
    const files = {
      'U_CCI_List.xml': cciList(),
      'list.xml.gz': gzipSync(cciList(CCIS, '2026-02-01')),
      'controls.json': oscalCatalog(),
      'broken.xml': cciList([{ id: 'CCI-000015', definition: null }]),
      'teapot.xml': TEAPOT,
    }
    const first = await run(fresh, files)
    expect(first.code).toBe(1)
    expect(outcomes(first)).toEqual([
      'imported CCI list 2026-01-05 3 U_CCI_List.xml',
      'imported CCI list 2026-02-01 3 list.xml.gz',
      'imported NIST SP 800-53 5.1.1 3 controls.json',
      matching(/^refused broken\.xml: The definition is missing: CCI-000015 \(line 6\)\. \[missing_field\]$/),
      'imported Teapot_STIG V1R1 3 teapot.xml',
    ])
    const { 'broken.xml': _broken, ...good } = files
    const second = await run(fresh, good)
    expect(second.code).toBe(0)
    expect(outcomes(second).every((line) => line.startsWith('already imported '))).toBe(true)
    expect(await fresh.run('select kind, version, item_count from reference_sources order by id')).toEqual([
      { kind: 'cci_list', version: '2026-01-05', item_count: 3 },
      { kind: 'cci_list', version: '2026-02-01', item_count: 3 },
      { kind: 'sp800_53', version: '5.1.1', item_count: 3 },
    ])
    expect(await fresh.run("select distinct via from audits where auditable_type = 'ReferenceData'")).toEqual([
      { via: 'command' },
    ])
  })

  it('prefers the options of the command to the content of the file', async () => {
    const fresh = await freshDatabase()
    const foreign = xccdfDocument({ id: 'guide', title: 'A guide', official: false, version: null })
    expect(await run(fresh, { 'a.xml': foreign })).toMatchObject({ code: 1 })
    const options = ['--document-type', 'stig', '--version', 'V3R4']
    expect(outcomes(await run(fresh, { 'a.xml': foreign }, ...options))).toEqual([
      matching(/^imported guide V3R4 2 a\.xml/),
    ])
    const other = foreign.replace('The lid', 'Another lid')
    const taken = await run(fresh, { 'a.xml': other }, ...options)
    expect(taken).toMatchObject({ code: 1, stdout: containing('[version_taken]') })
    const replaced = await run(fresh, { 'a.xml': other }, ...options, '--replace')
    expect(replaced).toMatchObject({ code: 0 })
    expect(outcomes(replaced)).toEqual([matching(/^replaced guide V3R4 2 a\.xml/)])
  })

  it.each([
    [[], 'usage'],
    [['--nonsense'], 'usage'],
    [['a.xml', '--document-type', 'ckl'], 'usage'],
    [['a.xml', '--document-type'], 'usage'],
  ])('%j is refused in one sentence with the code %s', async (args, code) => {
    const ended = await run(await freshDatabase(), {}, ...args)
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr.trimEnd()).toMatch(new RegExp(`\\[${code}\\]$`))
    expect(ended.stderr).not.toContain('    at ')
  })

  it('reports a missing file, a folder and a checklist in a sentence each, and imports the others', async () => {
    const paths = ['missing.xml', 'src']
    const ended = await run(await freshDatabase(), { 'teapot.xml': TEAPOT, 'x.ckl': '<CHECKLIST/>' }, ...paths)
    expect(ended.code).toBe(1)
    expect(outcomes(ended)).toContainEqual(containing('Teapot_STIG V1R1 3'))
    expect(ended.stdout).toContain('3 of 4 refused.')
    expect(ended.stdout + ended.stderr).not.toContain('    at ')
    for (const path of paths) expect(ended.stdout + ended.stderr).toContain(path)
  })

  it('prints its usage', async () => {
    const ended = await run(await freshDatabase(), {}, '--help')
    expect(ended).toMatchObject({ code: 0, stdout: matching(/^Usage: npm run import/) })
  })

  it('imports all files of a folder in order, each once', async () => {
    const fresh = await freshDatabase()
    const folder = await temporaryFolder()
    const below = join(folder, 'a', 'b')
    await mkdir(below, { recursive: true })
    await symlink(folder, join(below, 'up'))
    await symlink(join(folder, 'gone'), join(folder, 'y.xml'))
    const files = {
      'z.xml': TEAPOT,
      'a/b/kettle.XML': xccdfDocument({ id: 'Kettle_STIG' }),
      'a/results.xml': '<TestResult/>',
      'a/tea.zip': await zipOf({ 'tea.xml': xccdfDocument({ id: 'Tea_STIG' }), 'x.ckl': '<CHECKLIST/>' }),
      'readme.txt': 'words',
      'x.ckl': '<CHECKLIST/>',
    }
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    const { code, stdout } = await importPaths(fresh, [folder])
    const lines = stdout.split('\n').filter((line) => line.includes(folder))
    expect(lines.map((line) => line.replaceAll(/\s+/g, ' ').replaceAll(`${folder}/`, ''))).toEqual([
      expect.stringMatching(/^imported Kettle_STIG V1R1 2 a\/b\/kettle\.XML/),
      expect.stringMatching(/^skipped a\/results\.xml: .*TestResult/),
      expect.stringMatching(/^imported Tea_STIG V1R1 2 a\/tea\.zip tea\.xml/),
      expect.stringMatching(/^skipped a\/tea\.zip x\.ckl: .*CKL/),
      expect.stringMatching(/^skipped x\.ckl: .*CKL/),
      expect.stringMatching(/^refused y\.xml: There is no such file/),
      expect.stringMatching(/^imported Teapot_STIG V1R1 3 z\.xml/),
    ])
    expect(stdout).toContain('skipped: 1 .txt.')
    expect([code, stdout.includes('1 of 7 refused.')]).toEqual([1, true])
  })
})
