import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparisonAsMarkdown, showComparison } from '../../../src/cli/diff/show.ts'
import { compareWords, withoutLongMiddle } from '../../../src/cli/diff/words.ts'
import { styleOf } from '../../../src/cli/terminal.ts'
import { parapet } from '../../support/command-line.ts'
import { CORPUS } from '../../support/corpus.ts'
import { containing } from '../../support/matchers.ts'
import { xccdfDocument } from '../../support/xccdf-document.ts'
import { zipOf } from '../../support/zip.ts'

const TEXTS = { discussion: 'Steam escapes.', checks: ['Look at the lid.'], fix: 'Shut it.' }
const BEFORE = { ...TEXTS, id: 'SV-1r1_rule', version: 'TEAP-01', title: 'Shut the lid.' }
const AFTER = { ...BEFORE, id: 'SV-1r2_rule', title: 'Shut the lid *always* <now>.' }
const GONE = { ...TEXTS, id: 'SV-2r1_rule', version: 'TEAP-02', title: 'Boil water.' }

let folder = ''
let older = ''
let newer = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-'))
  older = join(folder, 'older.xml')
  newer = join(folder, 'newer.xml')
  await writeFile(older, xccdfDocument({ rules: [BEFORE, GONE] }))
  await writeFile(newer, xccdfDocument({ release: '2', rules: [AFTER] }))
})

afterAll(() => rm(folder, { recursive: true }))

describe('parapet diff', () => {
  it('exits with 0 for equal rules, 1 for differences, and 2 for files that cannot be compared', async () => {
    const codes = [
      await parapet(['diff', older, older]),
      await parapet(['diff', older, newer]),
      await parapet(['diff', older, join(folder, 'missing.xml')]),
      await parapet(['diff', older, 'test/fixtures/ontology/ten.ttl']),
    ].map(({ code }) => code)
    expect(codes).toEqual([0, 1, 2, 2])
  })

  it('shows a table, then each text word by word, without colours in a pipe', async () => {
    const { stdout } = await parapet(['diff', older, newer, '--format', 'table'])
    expect(stdout).toMatch(/^Teapot_STIG V1R1 .* → Teapot_STIG V1R2/)
    expect(stdout).toMatch(/^0 rules added, 1 removed, 1 changed, 0 unchanged$/m)
    expect(stdout).toMatch(/^changed +TEAP-01 +Shut the lid \*always\* <now>\. +title$/m)
    expect(stdout).toMatch(/^removed +TEAP-02 +Boil water\./m)
    expect(stdout).toContain('Shut the lid {+*always* <now>+}.')
    expect(stdout).not.toContain('\u001B')
  })

  it('writes Markdown with all texts escaped', async () => {
    const { stdout } = await parapet(['diff', older, newer, '--format', 'markdown'])
    expect(stdout).toContain('| changed | TEAP-01 | Shut the lid &#42;always&#42; &lt;now&gt;. | title |')
    expect(stdout).toContain('<ins>&#42;always&#42; &lt;now&gt;</ins>')
  })

  it('reads the only benchmark of a zip, and refuses several', async () => {
    const single = join(folder, 'one.zip')
    const several = join(folder, 'two.zip')
    await writeFile(single, await zipOf({ 'a-xccdf.xml': await readFile(newer) }))
    await writeFile(
      several,
      await zipOf({ 'a-xccdf.xml': await readFile(newer), 'b-xccdf.xml': await readFile(older) }),
    )
    expect((await parapet(['diff', newer, single])).code).toBe(0)
    const { code, stderr } = await parapet(['diff', newer, several])
    expect([code, stderr]).toEqual([2, containing('The file holds several benchmarks')])
  })

  it('names the place of a fault, and shows no stack', async () => {
    const bad = join(folder, 'bad.xml')
    await writeFile(bad, xccdfDocument().replace('</Benchmark>', '<'))
    const { code, stderr } = await parapet(['diff', older, bad])
    expect(code).toBe(2)
    expect(stderr).toMatch(/bad\.xml: .*line \d+.* \[xml_not_well_formed\]/)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  it('compares two releases of the ontology, with or without a version', async () => {
    const ttl = await readFile('test/fixtures/ontology/ten.ttl', 'utf8')
    const [a, b] = [join(folder, 'a.ttl'), join(folder, 'b.ttl')]
    await writeFile(a, ttl)
    await writeFile(b, ttl.replace(/rdfs:label "([^"]+)"/, 'rdfs:label "Another $1"'))
    expect((await parapet(['diff', a, a])).code).toBe(0)
    const { code, stdout } = await parapet(['diff', a, b])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ changes: [{ change: 'renamed' }] })
  })
})

describe('The differences of two texts', () => {
  it('are of words, not of white space', () => {
    expect(compareWords('Shut  the lid.', 'Shut the\nlid.')).toEqual([{ kind: 'same', text: 'Shut the\nlid.' }])
    expect(compareWords('Shut the lid.', 'Open the lid.')).toEqual([
      { kind: 'removed', text: 'Shut' },
      { kind: 'added', text: 'Open' },
      { kind: 'same', text: ' the lid.' },
    ])
  })

  it('keep some words around each difference', () => {
    const long = 'word '.repeat(200)
    const [first, ...others] = withoutLongMiddle(compareWords(`${long}old`, `${long}new`))
    expect(first?.text.length).toBeLessThan(70)
    expect(first?.text).toMatch(/^…/)
    expect(others.map(({ text }) => text)).toEqual(['old', 'new'])
  })
})

describe('A comparison', () => {
  const item = (text: string) => ({
    change: 'changed',
    names: ['TEAP-01'],
    title: text,
    note: 'title',
    fields: [{ field: 'title', before: '', after: text }],
  })
  const comparison = (text: string, count = 1) => ({
    from: 'A V1R1',
    to: 'A V1R2',
    summary: '',
    isSame: false,
    items: Array.from({ length: count }, () => item(text)),
    json: null,
  })

  it('removes control sequences of a file from the output', () => {
    const shown = showComparison(comparison('\u001B[2J\u202Edil'), styleOf(process.stdout))
    expect(shown).toContain('\uFFFD[2J\uFFFDdil')
    expect(shown).not.toContain('\u001B')
  })

  it('fits into a comment of a pull request and counts the rules that are left out', () => {
    const text = comparisonAsMarkdown(comparison('tea '.repeat(500), 100))
    expect(text.length).toBeLessThan(65_000)
    expect(text).toMatch(/\d+ rows and texts more do not fit here/)
  })
})

describe.skipIf(CORPUS === '' || !(await hasCorpus()))('Two releases of 446 rules', () => {
  it('are compared, rule by rule', async () => {
    const release = join(CORPUS, 'xccdf', 'U_RHEL_9_STIG_V2R7_Manual-xccdf.xml')
    const other = join(folder, 'rhel.xml')
    const text = await readFile(release, 'utf8')
    const rules = text.split('<Group ').slice(1)
    const changed = rules.filter((rule) => rule.includes('this is a finding'))
    await writeFile(other, text.replaceAll('this is a finding', 'this is one finding'))
    const { code, stdout } = await parapet(['diff', release, other, '--json'])
    expect(code).toBe(1)
    const unchanged = rules.length - changed.length
    expect(JSON.parse(stdout)).toMatchObject({
      counts: { added: 0, removed: 0, changed: changed.length, unchanged },
    })
  })
})

async function hasCorpus(): Promise<boolean> {
  const content = await readFile(join(CORPUS, 'xccdf', 'U_RHEL_9_STIG_V2R7_Manual-xccdf.xml')).catch(() => null)
  return content !== null
}
