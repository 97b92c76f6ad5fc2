import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isRefusalCode, REFUSALS } from '../../src/platform/errors.ts'
import { emptyCatalogue, inventory, send, uploaded } from '../support/catalogue.ts'
import { CORPUS } from '../support/corpus.ts'
import { guidanceService, signedIn, type Answer } from '../support/guidance.ts'
import { spreadOf } from '../support/runs.ts'
import { withoutDisa } from './catalogue/xccdf/corpus.ts'

const EXPECTED = join(CORPUS, 'xccdf/expect.json')
const HOSTILE = join(CORPUS, 'hostile/hostile.json')

const isPresent = [EXPECTED, HOSTILE].every((path) => existsSync(path))

const severity = z.object({ high: z.int(), medium: z.int(), low: z.int() })

const benchmarkFacts = z.object({
  id: z.string(),
  derived_version: z.string().nullable(),
  benchmark_date: z.string().nullable(),
  rules: z.int(),
  severity,
  severity_other_values: z.record(z.string(), z.int()),
})

const expectedFileOnly = z.object({
  file: z.string(),
  kind: z.string(),
  benchmark: benchmarkFacts.optional(),
  /** Present for a data stream, which holds several benchmarks. */
  benchmarks: z.array(benchmarkFacts).default([]),
})

type Facts = z.infer<typeof benchmarkFacts>

interface ExpectedFile extends z.infer<typeof expectedFileOnly> {
  /** Members of a zip. */
  readonly members: readonly ExpectedFile[]
}

const expectedFile: z.ZodType<ExpectedFile> = expectedFileOnly.extend({
  members: z.lazy(() => z.array(expectedFile)).default([]),
})

const hostileFile = z.object({
  file: z.string(),
  expect: z.string(),
  status: z.union([z.int(), z.array(z.int())]).optional(),
  problem: z.string().optional(),
  message_should_name: z.array(z.string()).optional(),
  values: z.object({ id: z.string(), version: z.string(), rules: z.int(), severity }).optional(),
})

const expected = isPresent ? z.array(expectedFile).parse(parsed(EXPECTED)) : []
const hostile = isPresent ? z.object({ files: z.array(hostileFile) }).parse(parsed(HOSTILE)).files : []

/** One made of a file that was sent before, in other bytes. */
const REPEATED = /__other-bytes|^derived-.*_utf16le-bom/

const guidance = guidanceService()
const admin = signedIn(guidance, 'Root', { admin: true })

describe.skipIf(!isPresent)('Published files that are uploaded', () => {
  const good = expected.map((file) => [file.file, factsOf(file)] as const)

  // The content of each benchmark is compared by the tests of the reader (xccdf/published.corpus.test.ts).
  it.for(
    spreadOf(
      good.filter(([, facts]) => facts.length > 0),
      12,
    ),
  )('%s has the counted rules, or is refused', async ([name, facts]) => {
    await emptyCatalogue(guidance())
    const before = await inventory(guidance())
    const answer = await upload(`xccdf/${name}`)
    if (answer.status !== 200) {
      expect(refusalOf(answer)).toMatch(
        /^(?:unknown_benchmark_kind|version_unknown|not_a_benchmark|missing_field) 422$/,
      )
      // Files of DISA are never refused.
      expect(name).not.toMatch(/^(?:U_|disa-)/)
      expect(await inventory(guidance())).toEqual(before)
      return
    }
    const { imported, refused } = uploaded.parse(answer.body)
    expect(refused).toEqual([])
    expect(imported.map(({ benchmark_id }) => benchmark_id)).toEqual(facts.map(({ id }) => withoutDisa(id)))
    for (const [index, { id, kind, warnings, ...counted }] of imported.entries()) {
      const { absent, date, ...wanted } = expectationOf(facts[index])
      expect(counted).toMatchObject(wanted)
      const codes = warnings.map(({ code }) => code)
      expect(codes.includes('severity_missing')).toBe(absent > 0)
      const { body } = await admin.call('GET', `/${kind}s/${id}`)
      expect(body).toMatchObject({ [kind === 'srg' ? 'release_date' : 'benchmark_date']: date })
      if (name.endsWith('.zip')) continue
      const { bytes } = await admin.call('GET', `/${kind}s/${id}/export/xccdf`)
      expect(bytes.equals(await readFile(join(CORPUS, 'xccdf', name)))).toBe(true)
    }
  })

  it.for(good.filter(([, facts]) => facts.length === 0))(
    '%s is refused because it is not a benchmark',
    async ([file]) => {
      const before = await inventory(guidance())
      expect(refusalOf(await upload(`xccdf/${file}`))).toMatch(
        /^(?:not_a_benchmark|xml_not_well_formed|bad_encoding|unsupported_file_type) 422$/,
      )
      expect(await inventory(guidance())).toEqual(before)
    },
  )

  it('are recognised as already imported with other bytes', async () => {
    await emptyCatalogue(guidance())
    const repeated = expected.filter((entry) => REPEATED.test(entry.file))
    expect(repeated).toHaveLength(2)
    for (const { file } of repeated) {
      const original = file.replaceAll(/__other-bytes|^derived-|_utf16le-bom/g, '')
      expect((await upload(`xccdf/${original}`)).status).toBe(200)
      const { imported, already_imported } = uploaded.parse((await upload(`xccdf/${file}`)).body)
      expect([file, imported.length, already_imported.length]).toEqual([file, 0, 1])
    }
  })
})

/** All benchmarks of a file, also of the zips in a zip. */
function factsOf(file: ExpectedFile): readonly Facts[] {
  const ownFacts = file.benchmark === undefined ? [] : [file.benchmark]
  return [...ownFacts, ...file.benchmarks, ...file.members.flatMap(factsOf)]
}

/** Rules without a severity count as medium. */
function expectationOf(facts: Facts | undefined): {
  readonly absent: number
  readonly date: string | null
  readonly [field: string]: unknown
} {
  if (facts === undefined) throw new Error('There are more benchmarks than were counted')
  const { high, medium, low } = facts.severity
  const absent = facts.severity_other_values['(absent)'] ?? 0
  return {
    absent,
    date: facts.benchmark_date,
    rule_count: facts.rules,
    severity_counts: { high, medium: medium + absent, low },
    ...(facts.derived_version !== null && { version: facts.derived_version }),
  }
}

describe.skipIf(!isPresent)('A hostile file that is uploaded', () => {
  const control = hostile.find(({ file }) => file.startsWith('control-valid'))

  it.for(hostile.map((tested) => [tested.file, tested] as const))('%s does no harm', async ([name, tested]) => {
    await emptyCatalogue(guidance())
    const before = await inventory(guidance())
    const answer = await upload(`hostile/${name}`)
    if (answer.status === 200) {
      expect(tested.expect).not.toBe('reject')
      const [imported] = uploaded.parse(answer.body).imported
      if (tested.values !== undefined) {
        const { id: benchmark_id, version, rules: rule_count, severity } = tested.values
        expect(imported).toMatchObject({ benchmark_id, version, rule_count, severity_counts: severity })
      }
    } else {
      expect(tested.expect).not.toBe('accept')
      const code = refusalOf(answer).split(' ')[0] ?? ''
      expect(isRefusalCode(code) && REFUSALS[code].status === answer.status).toBe(true)
      const named = codesIn(answer)
      if (tested.problem !== undefined) expect(named).toContain(tested.problem)
      const detail = JSON.stringify(answer.body).toLowerCase()
      for (const words of tested.message_should_name ?? [])
        expect([words, wordsOf(words).some((word) => detail.includes(word))]).toEqual([words, true])
      expect(detail.length).toBeLessThan(5000)
      expect(await inventory(guidance())).toEqual(before)
    }
    expect(JSON.stringify(answer.body)).not.toContain('root:x:0')
  })

  it('does not keep the next good one out', async () => {
    await emptyCatalogue(guidance())
    expect((await upload(`hostile/${control?.file ?? ''}`)).status).toBe(200)
  })
})

async function upload(path: string): Promise<Answer> {
  const fileName = path.split('/').at(-1) ?? ''
  return send(admin, await readFile(join(CORPUS, path)), { fileName })
}

function refusalOf({ status, body }: Answer): string {
  return `${z.looseObject({ code: z.string() }).parse(body).code} ${status}`
}

/** The code of the refusal, and those of the members of a zip. */
function codesIn({ body }: Answer): readonly string[] {
  const { code, refused } = z
    .looseObject({ code: z.string(), refused: z.array(z.object({ code: z.string() })).default([]) })
    .parse(body)
  return [code, ...refused.map((member) => member.code)]
}

/** The list describes a message in prose: one word of the description in the message is enough. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\w./-]{4,}/g) ?? [text.toLowerCase()]
}

function parsed(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
