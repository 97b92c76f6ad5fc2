import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import readExcel from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openZip } from '../../src/guidance/catalogue/files/zip.ts'
import { store } from '../support/catalogue.ts'
import { parapet } from '../support/command-line.ts'
import { guidanceService, type SessionClient } from '../support/guidance.ts'
import { STARTER } from '../support/service.ts'
import { xccdfDocument, type SampleBenchmark } from '../support/xccdf-document.ts'

const service = guidanceService({}, undefined, STARTER)

const RULES = [
  {
    id: 'SV-700001r1_rule',
    version: 'SMVR-09-000001',
    requirement: 'SRG-TEA-000001-SMV-00001',
    title: 'The samovar should lock accounts.',
    discussion: 'An attacker may guess passwords, etc.',
    checks: ['Verify the setting.'],
    fix: 'Set it.',
    cci: ['CCI-000044'],
  },
  { id: 'SV-700002r1_rule', version: 'SMVR-09-000002', title: '=Time must be kept.', cci: ['CCI-000366'] },
]
const OLDER: SampleBenchmark = { id: 'Samovar_9_STIG', title: 'Samovar 9 STIG', rules: RULES }
const NEWER: SampleBenchmark = {
  ...OLDER,
  release: '2',
  rules: RULES.map((rule) => ({ ...rule, title: rule.title.replace('should', 'shall') })),
}
/** Has the requirement that the first rule names, with the same severity. */
const SRG: SampleBenchmark = {
  id: 'Samovar_SRG',
  kind: 'srg',
  title: 'Samovar Security Requirements Guide',
  rules: [{ id: 'SV-1r1_rule', version: 'SRG-TEA-000001-SMV-00001', cci: ['CCI-000044'] }],
}

/** The address that the service of the test gives itself. */
const BASE = 'http://localhost:0'
const address = '/api/catalogue/benchmarks/Samovar_9_STIG'
let folder = ''
let files = { older: '', newer: '', srg: '' }
let ids = { older: 0, newer: 0, srg: 0 }
let env: Readonly<Record<string, string>> = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-'))
  env = { SERVICE_DATA_DIR: dirname(service().service.folder.root) }
  files = { older: join(folder, 'older.xml'), newer: join(folder, 'newer.xml'), srg: join(folder, 'srg.xml') }
  await writeFile(files.older, xccdfDocument(OLDER))
  await writeFile(files.newer, xccdfDocument(NEWER))
  await writeFile(files.srg, xccdfDocument(SRG))
  ids = {
    older: await store(service(), OLDER),
    newer: await store(service(), NEWER),
    srg: await store(service(), SRG),
  }
})

afterAll(() => rm(folder, { recursive: true }))

async function get(path: string): Promise<Buffer> {
  const { status, bytes } = await service().nobody.call('GET', path)
  expect([status, bytes.toString().slice(0, 300)]).toEqual([200, bytes.toString().slice(0, 300)])
  return bytes
}

async function getJson(path: string): Promise<unknown> {
  return JSON.parse((await get(path)).toString('utf8'))
}

describe('A command gives the same answer as HTTP for', () => {
  it('a comparison of two releases', async () => {
    const { code, stdout } = await parapet(['diff', files.older, files.newer])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual(await getJson(`${address}/V1R1/changes/V1R2.json`))
  })

  it.each([
    ['csv', 'csv'],
    ['ckl', 'ckl'],
    ['cklb', 'cklb'],
    ['xccdf', 'xml'],
  ])('a conversion to %s, byte for byte', async (to, ending) => {
    const out = join(folder, `converted.${ending}`)
    expect(await parapet(['convert', files.newer, '--to', to, '--out', out])).toMatchObject({ code: 0 })
    expect((await readFile(out)).equals(await get(`${address}/V1R2/Samovar_9_STIG.${ending}`))).toBe(true)
  })

  it('a conversion to JSON', async () => {
    const { stdout } = await parapet(['convert', files.newer, '--to', 'json'])
    expect(JSON.parse(stdout)).toEqual(await getJson(`${address}/V1R2.json`))
  })

  it('a rule', async () => {
    const { stdout } = await parapet(['rule', 'SMVR-09-000001', '--file', files.newer], env)
    expect(JSON.parse(stdout)).toEqual(await getJson(`${address}/V1R2/rules/SMVR-09-000001.json`))
  })

  it('a coverage, as a report, a table and layers', async () => {
    const numbered = (text: string): string => text.replaceAll(/"(id|path)": ?(?:\d+|"\/stigs\/\d+")/g, '"$1": 0')
    const same = async (format: string, path: string, relations: readonly string[] = []): Promise<void> => {
      const options = relations.flatMap((relation) => ['--relation', relation])
      const { code, stdout, stderr } = await parapet(['coverage', files.newer, '--format', format, ...options], env)
      expect([code, stderr]).toEqual([0, ''])
      const query = relations.length === 0 ? '' : `&relation=${relations.join(',')}`
      const expected = (await get(`${path}?stig=${ids.newer}${query}`)).toString('utf8')
      if (format === 'csv') expect(stdout.trimEnd()).toBe(expected.trimEnd())
      else expect(JSON.parse(numbered(stdout))).toEqual(JSON.parse(numbered(expected)))
    }
    await same('json', '/api/coverage.json')
    await same('csv', '/api/coverage.csv', ['broader', 'related'])
    await same('layer', '/api/coverage/attack-layer.json')
    await same('d3fend-layer', '/api/coverage/d3fend-layer.json')
  })

  it.each([
    [['--relation', 'exact'], '--relation exact: must be one of exactly, narrower, broader, related.'],
    [['--list', 'list.json', '--relation', 'exactly'], '--relation: a list counts all relations.'],
  ])('a refusal of %j of a coverage', async (options, message) => {
    const { code, stdout, stderr } = await parapet(['coverage', files.newer, ...options], env)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  it('the coverage of a list, compared with another', async () => {
    const list = join(folder, 'list.json')
    const content = JSON.stringify({ attacks: ['T1110', 'T9999'], against: { csv: 'T1110.001, D3-AL' } })
    await writeFile(list, content)
    const { code, stdout, stderr } = await parapet(['coverage', '--list', list], env)
    expect([code, stderr]).toEqual([0, ''])
    const form = { file: Buffer.from(content), fields: {}, fileName: 'list.json' }
    const { status, body } = await service().nobody.call('POST', '/api/coverage', { form })
    expect([status, JSON.parse(stdout)]).toEqual([200, body])
    expect(body).toMatchObject({ list: { unknown_count: 1 }, comparison: { against: { attacks: 1, techniques: 1 } } })
  })

  it('the techniques for an attack', async () => {
    const { stdout } = await parapet(['techniques', '--for', 'T1110'], env)
    expect(JSON.parse(stdout)).toEqual(await getJson('/api/offensive-technique/attack/T1110.json'))
  })

  it('the advice on the words of rules', async () => {
    const admin = await service().signUp('Ann')
    const component = await begin(admin)
    const { body } = await admin.call('GET', `/api/components/${component}/advice.json`)
    const expected = advised.parse(body).rules.flatMap(({ displayed_name: rule, findings }) =>
      findings.map(({ code, field, message, quote, suggestion }) => ({
        rule,
        code,
        field,
        message,
        quote,
        suggestion,
      })),
    )
    const { stdout } = await parapet(['check', files.older])
    const [report] = reports.parse(JSON.parse(stdout))
    const actual = report?.problems.filter(({ level }) => level === 'advice') ?? []
    expect(actual).toEqual(expected.map((advice) => ({ level: 'advice', ...advice })))
    expect(expected.map(({ code }) => code)).toContain('title_should')
  })

  it('a search', async () => {
    const args = [...[files.older, files.newer, files.srg].flatMap((file) => ['--file', file]), '--most', '100']
    const words = 'samovar accounts'
    // The addresses of records begin with that of the service.
    const addressed = { ...env, SERVICE_BASE_URL: BASE }
    const { code, stdout, stderr } = await parapet(['search', words, ...args], addressed)
    expect([code, stderr]).toEqual([0, ''])
    const query = new URLSearchParams({ q: words, per_page: '100' })
    expect(JSON.parse(stdout)).toEqual(await getJson(`/api/search/unified?${query.toString()}`))
  })

  it('exports of a component that was begun from a STIG', async () => {
    const admin = await service().signUp('Ben')
    const component = await begin(admin)
    const same = async <T>(to: string, type: string, read: (bytes: Buffer) => T | Promise<T>): Promise<T> => {
      const out = join(folder, `exported.${to}`)
      const args = ['--to', to, '--out', out, '--srg', files.srg, '--name', 'Samovar']
      expect(await parapet(['convert', files.older, ...args])).toMatchObject({ code: 0 })
      const converted = await read(await readFile(out))
      const { bytes } = await admin.call('GET', `/components/${component}/export/${type}`)
      expect(converted).toEqual(await read(bytes))
      return converted
    }
    expect(Object.keys(await same('inspec', 'inspec', controlsOf))).toHaveLength(RULES.length)
    expect(await same('xlsx', 'excel', rowsOf)).toHaveLength(RULES.length + 1)
    expect(await same('oscal', 'oscal', withoutDate)).toHaveProperty('component-definition.components')
  })
})

const advised = z.object({
  rules: z.array(
    z.object({
      displayed_name: z.string(),
      findings: z.array(
        z.object({
          code: z.string(),
          field: z.string(),
          message: z.string(),
          quote: z.string(),
          suggestion: z.string().nullable(),
        }),
      ),
    }),
  ),
})

const reports = z.array(
  z.object({
    problems: z.array(
      z.object({
        level: z.string(),
        rule: z.string().nullable(),
        code: z.string(),
        field: z.string().nullable(),
        message: z.string(),
        quote: z.string(),
        suggestion: z.string().nullable(),
      }),
    ),
  }),
)

/** Begins a component from the older release. */
async function begin(admin: SessionClient): Promise<number> {
  const projectId = await service().project(admin)
  const component = {
    name: 'Samovar',
    prefix: 'SMVR-09',
    title: 'Samovar 9 STIG',
    description: 'How to keep tea safe.',
    version: 1,
    release: 1,
    source_stig_id: ids.older,
    security_requirements_guide_id: ids.srg,
  }
  const { status, body } = await admin.call('POST', `/projects/${projectId}/components`, { body: { component } })
  expect([status, body]).toEqual([200, body])
  return z.object({ id: z.int() }).parse(body).id
}

/** The controls of a profile, by their paths. */
async function controlsOf(bytes: Buffer): Promise<Readonly<Record<string, string>>> {
  const zip = await openZip(bytes, (name) => name.endsWith('.rb'))
  try {
    const controls: [string, string][] = []
    for (const member of zip.members) {
      const chunks: Uint8Array[] = []
      for await (const chunk of member.read()) chunks.push(chunk)
      controls.push([member.name, Buffer.concat(chunks).toString('utf8')])
    }
    return Object.fromEntries(controls)
  } finally {
    zip.close()
  }
}

/** The cells of a workbook. The name of its sheet has the number of the component in the database. */
async function rowsOf(bytes: Buffer): Promise<unknown> {
  const [sheet] = await readExcel(bytes)
  return sheet?.data
}

/** An OSCAL document without the date on which it was written, and without its UUID, which depends on that. */
function withoutDate(bytes: Buffer): unknown {
  const { metadata, ...others } = definition.parse(JSON.parse(bytes.toString('utf8')))['component-definition']
  return { 'component-definition': { ...others, uuid: null, metadata: { ...metadata, 'last-modified': null } } }
}

const definition = z.object({
  'component-definition': z.looseObject({ metadata: z.looseObject({ 'last-modified': z.string() }) }),
})
