import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parapet } from '../../support/command-line.ts'
import { containing } from '../../support/matchers.ts'
import { xccdfDocument } from '../../support/xccdf-document.ts'
import { zipOf } from '../../support/zip.ts'

/** The parts of SARIF 2.1.0 that are written (OASIS, sarif-schema-2.1.0.json); others would be a mistake. */
const sarif = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.literal('Parapet'),
          version: z.string(),
          rules: z.array(
            z.strictObject({ id: z.string(), shortDescription: z.strictObject({ text: z.string().min(1) }) }),
          ),
        }),
      }),
      columnKind: z.literal('utf16CodeUnits'),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: z.int().min(0),
          level: z.enum(['error', 'warning', 'note']),
          message: z.strictObject({ text: z.string().min(1) }),
          locations: z.tuple([
            z.strictObject({
              physicalLocation: z.strictObject({
                artifactLocation: z.strictObject({ uri: z.string().regex(/^[\w.~%/:-]+$/) }),
                region: z.strictObject({ startLine: z.int().min(1) }),
              }),
              logicalLocations: z.array(z.strictObject({ fullyQualifiedName: z.string() })).optional(),
            }),
          ]),
          properties: z.looseObject({}).optional(),
        }),
      ),
    }),
  ]),
})

const reports = z.array(
  z.object({
    type: z.string(),
    documents: z.array(z.object({ kind: z.string(), name: z.string(), rules: z.int() })),
    problems: z.array(
      z.object({
        level: z.string(),
        code: z.string(),
        message: z.string(),
        member: z.string().nullable(),
        line: z.int().nullable(),
        row: z.int().nullable(),
        cell: z.string().nullable(),
        rule: z.string().nullable(),
        field: z.string().nullable(),
      }),
    ),
  }),
)

const RULE = {
  id: 'SV-1r1_rule',
  version: 'TEAP-09-000001',
  title: 'The lid should be shut.',
  discussion: 'Steam may escape and burn people.',
  checks: ['Look at the lid.\n\nIf it is open, this is a finding.'],
  fix: 'Shut the lid.',
}

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-'))
})

afterAll(() => rm(folder, { recursive: true }))

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, content)
  return file
}

async function check(name: string, content: string | Uint8Array, ...options: readonly string[]) {
  const { code, stdout, stderr } = await parapet(['check', await fileOf(name, content), ...options])
  expect(stderr).toBe('')
  const [report] = reports.parse(JSON.parse(stdout))
  if (report === undefined) throw new Error('There is no report')
  return { code, report }
}

function placesOf({ problems }: z.infer<typeof reports>[number], code: string): readonly object[] {
  return problems
    .filter((problem) => problem.code === code)
    .map(({ level, member, line, row, rule, field }) => ({ level, member, line, row, rule, field }))
}

describe('parapet check', () => {
  it('gives advice on the words of rules, with the line of the rule', async () => {
    const xml = xccdfDocument({ rules: [RULE] })
    const line = xml.split('\n').findIndex((text) => text.includes('<Rule ')) + 1
    const { code, report } = await check('one.xml', xml)
    expect(code).toBe(0)
    expect(report.documents).toEqual([{ kind: 'stig', name: 'Teapot_STIG', rules: 1 }])
    expect(placesOf(report, 'title_should')).toEqual([
      { level: 'advice', member: null, line, row: null, rule: RULE.version, field: 'title' },
    ])
  })

  it('warns of text that was changed on reading, and names the rule', async () => {
    const { report } = await check('odd.xml', xccdfDocument({ rules: [{ ...RULE, severity: null }] }), '--no-advice')
    expect(placesOf(report, 'severity_missing')).toMatchObject([{ level: 'warning', rule: RULE.id }])
    expect(report.problems.every(({ level }) => level !== 'advice')).toBe(true)
  })

  it('reports a file that cannot be read as an error with its line', async () => {
    const { code, report } = await check('bad.xml', xccdfDocument().replace('</Benchmark>', '<'))
    expect(code).toBe(1)
    expect(report.problems).toMatchObject([{ level: 'error', code: 'xml_not_well_formed' }])
    expect(report.problems[0]?.line).toBeGreaterThan(1)
  })

  it('names the member of a zip', async () => {
    const members = { 'good-xccdf.xml': xccdfDocument({ rules: [RULE] }), 'bad-xccdf.xml': '<Benchmark' }
    const { code, report } = await check('pack.zip', await zipOf(members))
    expect(code).toBe(1)
    expect(placesOf(report, 'title_should')).toMatchObject([{ member: 'good-xccdf.xml' }])
    expect(report.problems.filter(({ level }) => level === 'error')).toMatchObject([{ member: 'bad-xccdf.xml' }])
  })

  const HEADER =
    'SRGID,STIGID,Severity,Requirement,VulDiscussion,Status,Check,Fix,Status Justification,Artifact Description'
  const ROW =
    'SRG-TEA-000001,TEAP-09-000001,CAT II,The lid should be shut.,Steam escapes.,Applicable - Configurable,Look.,Shut it.,,'

  it('names rows and cells of a spreadsheet', async () => {
    const unknown = ROW.replace('CAT II', 'CAT IX').replace('TEAP-09-000001', 'TEAP-09-000002')
    const { code, report } = await check('sheet.csv', [HEADER, ROW, unknown].join('\n'))
    expect([code, report.type]).toEqual([0, 'spreadsheet'])
    expect(placesOf(report, 'title_should')).toMatchObject([
      { level: 'advice', row: 2, rule: 'TEAP-09-000001', field: 'title' },
      { row: 3, rule: 'TEAP-09-000002' },
    ])
    const remark = report.problems.find(({ code: problemCode }) => problemCode === 'spreadsheet_remark')
    expect(remark).toMatchObject({ level: 'warning', row: 3, message: containing('CAT IX') })
    const twice = await check('twice.csv', [HEADER, ROW, ROW].join('\n'))
    expect([twice.code, twice.report.problems.map(({ level }) => level)]).toEqual([1, ['error']])
  })

  it('fails at the level that the option names', async () => {
    const file = await fileOf('level.xml', xccdfDocument({ rules: [RULE] }))
    const codes = await Promise.all(
      ['error', 'advice', 'never'].map(async (level) => (await parapet(['check', file, '--fail-on', level])).code),
    )
    expect(codes).toEqual([0, 1, 0])
  })

  it('writes SARIF for all files, including unreadable ones', async () => {
    const good = await fileOf('a b.xml', xccdfDocument({ rules: [RULE] }))
    const bad = await fileOf('bad.zip', 'PK\u0003\u0004')
    const { code, stdout } = await parapet(['check', good, bad, '--format', 'sarif'])
    expect(code).toBe(1)
    const { runs } = sarif.parse(JSON.parse(stdout))
    const [{ tool, results }] = runs
    expect(new Set(results.map(({ level }) => level))).toEqual(new Set(['note', 'error']))
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
    expect(results[0]?.locations[0].physicalLocation.artifactLocation.uri).toMatch(/^file:.*a%20b\.xml$/)
  })
})
