import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { SUBCOMMANDS } from '../../src/cli/subcommands.ts'
import { builtProgram } from '../support/build.ts'
import { parapet } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folder.ts'
import { matching } from '../support/matchers.ts'
import { onlyDeep } from '../support/runs.ts'
import { xccdfDocument } from '../support/xccdf-document.ts'

describe('parapet', () => {
  it('lists all commands without arguments and with --help', async () => {
    const { code, stdout } = await parapet([])
    expect(code).toBe(0)
    for (const { name, summary } of SUBCOMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'))
    expect((await parapet(['--help'])).stdout).toBe(stdout)
  })

  it('is installed under its name, by a file that a shell can start', async () => {
    expect(JSON.parse(await readFile('package.json', 'utf8'))).toMatchObject({ bin: { parapet: 'dist/cli.js' } })
  })

  it.each([
    [['dif'], 'Unknown command "dif". Do you mean diff?'],
    [['--nonsense'], 'Unknown option "--nonsense".'],
    [['constructor'], 'Unknown command "constructor".'],
    [['diff', '--nonsense'], "Unknown option '--nonsense'"],
    [['diff', 'only.xml'], 'Name two files'],
    [['ingest', '--nonsense'], "Unknown option '--nonsense'"],
    [['serve', '--nonsense'], "Unknown option '--nonsense'"],
    [['convert', 'a.xml', '--to', 'docx'], 'must be one of xccdf, ckl, cklb, inspec, oscal, xlsx, csv, json'],
    [['check', 'a.xml', '--format', 'sarf'], 'must be one of table, json, sarif'],
    [['check', 'a.xml', '--fail-on', 'all'], 'must be one of error, warning, advice, never'],
  ])('%j is named and ends with 2', async (args, said) => {
    const { code, stdout, stderr } = await parapet(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(said)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  it.each([['diff'], ['check'], ['convert'], ['coverage'], ['rule'], ['search'], ['techniques'], ['missing.xml']])(
    'refuses a file that is not there: %s',
    async (name) => {
      const args: Readonly<Record<string, readonly string[]>> = {
        diff: ['diff', 'missing.xml', 'missing.xml'],
        convert: ['convert', 'missing.xml', '--to', 'csv'],
        rule: ['rule', 'V-1', '--file', 'missing.xml'],
        search: ['search', 'tea', '--file', 'missing.xml'],
        techniques: ['techniques', '--for', 'T1110', '--ontology', 'missing.ttl'],
      }
      const { code, stderr } = await parapet(args[name] ?? [name, 'missing.xml'])
      expect(code).toBe(2)
      if (name !== 'missing.xml') expect(stderr).toMatch(/^missing\.(?:xml|ttl): .* \[source_not_found\]$/m)
    },
  )

  it('shows commands in the form in which it was called', async () => {
    expect((await parapet(['ingest', '--help'])).stdout).toMatch(/^Usage: parapet ingest SOURCE/)
    expect((await parapet(['help', 'backup'])).stdout).toMatch(/^Usage: parapet backup --out/)
    expect((await parapet(['serve', '--help'])).stdout).toMatch(/^Usage: parapet serve \[--new\]/)
    const { stdout } = await promisify(execFile)(process.execPath, [builtProgram('src/commands/ingest.ts'), '--help'])
    expect(stdout).toMatch(/^Usage: npm run ingest -- SOURCE/)
  })

  it('writes to the file of --out, and nothing to standard output', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'one.xml')
    await writeFile(file, xccdfDocument())
    const out = join(folder, 'report.json')
    expect(await parapet(['check', file, '--out', out])).toMatchObject({ code: 0, stdout: '' })
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject([{ file, type: 'xccdf' }])
    const lost = await parapet(['check', file, '--out', join(folder, 'no', 'folder.json')])
    expect(lost).toMatchObject({ code: 2, stderr: matching(/--out .* \[folder_unusable\]/) })
  })

  it('ends quietly if the reader of its output has ended', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'many.xml')
    await writeFile(file, xccdfDocument({ rules: 400 }))
    const command = `"${process.execPath}" "${builtProgram('src/cli.ts')}" convert "${file}" --to json | head -c 10`
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command])
    expect([stdout.length, stderr]).toEqual([10, ''])
  })
})

describe('The completion', () => {
  it('completes commands and the options of their help in bash', async () => {
    const { stdout } = await parapet(['completion', 'bash'])
    const folder = await temporaryFolder()
    const script = join(folder, 'completion.bash')
    await writeFile(script, stdout)
    const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
      const program = `parapet() { "${process.execPath}" "${builtProgram('src/cli.ts')}" "$@"; }`
      const line = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _parapet; printf '%s\\n' "\${COMPREPLY[@]}"`
      const ended = await promisify(execFile)('bash', ['-c', `source "${script}"; ${program}; ${line}`])
      return ended.stdout.trim().split('\n')
    }
    expect(await complete('parapet', 'co')).toEqual(['convert', 'coverage', 'completion'])
    expect(await complete('parapet', 'diff', '--j')).toEqual(['--json'])
    expect(await complete('parapet', 'completion', 'z')).toEqual(['zsh'])
  })

  it.each(onlyDeep([['zsh']]))('is a script for %s', async (shell) => {
    expect((await parapet(['completion', shell])).stdout).toMatch(/^#compdef parapet\n/)
  })
})
