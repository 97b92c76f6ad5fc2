import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readUploadHere, type UploadItem } from '../../../../src/guidance/catalogue/uploads/upload.ts'
import type { Benchmark, Rule } from '../../../../src/guidance/catalogue/xccdf/benchmark.ts'
import { contentDigest } from '../../../../src/guidance/catalogue/xccdf/digest.ts'
import { readBenchmarks } from '../../../../src/guidance/catalogue/xccdf/reader.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { isPresent, listOf, withoutDisa, XCCDF } from './corpus.ts'

const text = z.string().nullable()

const expectedRule = z.object({
  index: z.number(),
  group_id: text,
  group_title: text,
  rule_id: z.string(),
  version: text,
  severity: text,
  weight: text,
  title: text,
  idents: z.array(z.tuple([z.string(), z.string()])),
  vuln_discussion_len: z.number().nullable(),
  vuln_discussion_sha: text,
  check_content_len: z.number().nullable(),
  check_content_sha: text,
  fixtext_len: z.number().nullable(),
  fixtext_sha: text,
})

const expectedBenchmark = z.object({
  id: z.string(),
  lang: text,
  title: text,
  description_sha: text,
  statuses: z.array(z.object({ value: text, date: text })),
  benchmark_date: text,
  derived_version: text,
  doc_type: z.string(),
  rules: z.number(),
  rules_with_check: z.number(),
  rules_with_several_checks: z.number(),
  rules_with_fixtext: z.number(),
  severity: z.object({ high: z.number(), medium: z.number(), low: z.number() }),
  severity_other_values: z.record(z.string(), z.number()),
  first_rule: expectedRule.nullish(),
  middle_rule: expectedRule.nullish(),
  last_rule: expectedRule.nullish(),
})

const file = z.object({
  file: z.string(),
  kind: z.string(),
  benchmark: expectedBenchmark.optional(),
  benchmarks: z.array(expectedBenchmark).optional(),
})

interface ExpectedFile extends z.infer<typeof file> {
  readonly members?: readonly ExpectedFile[] | undefined
}

const fileWithMembers: z.ZodType<ExpectedFile> = file.extend({
  get members() {
    return z.array(fileWithMembers).optional()
  },
})

const FILES = listOf(join(XCCDF, 'expect.json'), fileWithMembers)

type Expected = z.infer<typeof expectedBenchmark>

function expectedOf({ benchmark, benchmarks, members }: ExpectedFile): readonly Expected[] {
  if (benchmark !== undefined) return [benchmark]
  return benchmarks ?? (members ?? []).flatMap(expectedOf)
}

function isTaken({ kind, ...rest }: ExpectedFile): boolean {
  if (kind.includes('testresult')) return false
  return expectedOf({ kind, ...rest }).some(({ doc_type: type }) => type !== 'neither')
}

function measure(value: string | null | undefined): readonly (number | string | null)[] {
  if (value == null) return [null, null]
  return [Array.from(value).length, createHash('sha256').update(value).digest('hex')]
}

function compareRule(rule: Rule | undefined, expected: z.infer<typeof expectedRule>): void {
  expect(rule).toMatchObject({
    ruleId: withoutDisa(expected.rule_id),
    groupId: withoutDisa(expected.group_id),
    groupTitle: expected.group_title,
    version: expected.version === '' ? null : expected.version,
    ...(expected.severity === null ? {} : { severity: expected.severity }),
    ...(expected.title === null ? {} : { title: expected.title }),
    idents: expected.idents.map(([system, value]) => ({ system, value })),
  })
  const texts = [rule?.checks[0]?.content, rule?.fixes[0]?.text]
  expect(texts.map(measure)).toEqual([
    [expected.check_content_len, expected.check_content_sha],
    [expected.fixtext_len, expected.fixtext_sha],
  ])
  // The list knows discussions by their tag only; here a description without tags is one too.
  if (expected.vuln_discussion_sha === null) return
  const discussion = measure(rule?.discussion.vuln_discussion)
  expect(discussion).toEqual([expected.vuln_discussion_len, expected.vuln_discussion_sha])
}

/** Rules without severity are medium here; the list counts them apart. */
function compareSeverities(rules: readonly Rule[], expected: Expected): void {
  const count = (severity: string): number => rules.filter((rule) => rule.severity === severity).length
  const absent = expected.severity_other_values['(absent)'] ?? 0
  const { high, medium, low } = expected.severity
  expect([count('high'), count('medium'), count('low')]).toEqual([high, medium + absent, low])
}

function compare(benchmark: Benchmark, expected: Expected): void {
  const [status] = expected.statuses
  expect(benchmark).toMatchObject({
    benchmarkId: withoutDisa(expected.id),
    language: expected.lang,
    ...(expected.title === null ? {} : { title: expected.title }),
    releaseDate: expected.benchmark_date,
    status: status?.value ?? null,
    statusDate: status?.date ?? null,
  })
  const { rules } = benchmark
  expect(measure(benchmark.description)[1]).toBe(expected.description_sha)
  expect(rules).toHaveLength(expected.rules)
  expect(rules.filter(({ checks }) => checks.length > 0)).toHaveLength(expected.rules_with_check)
  compareSeverities(rules, expected)
  for (const each of [expected.first_rule, expected.middle_rule, expected.last_rule]) {
    if (each != null) compareRule(rules[each.index], each)
  }
}

async function readItems(name: string): Promise<readonly UploadItem[]> {
  const items: UploadItem[] = []
  for await (const item of readUploadHere(join(XCCDF, name), {})) items.push(item)
  return items
}

const bytesOf = (name: string): Uint8Array => readFileSync(join(XCCDF, name))

describe.skipIf(!isPresent)('A published benchmark', () => {
  it.each(FILES.filter(isTaken))('is read completely: $file', async (published) => {
    const expected = expectedOf(published)
    const items = await readItems(published.file)
    expect(items).toHaveLength(expected.length)
    for (const [index, each] of expected.entries()) {
      const item = items[index]
      if (item?.kind !== 'read') throw new Error(`${item?.detail ?? 'nothing'} was refused`)
      compare(item.benchmark, each)
      expect([item.benchmark.version, item.benchmark.kind]).toEqual([each.derived_version, each.doc_type])
    }
  })

  it('is refused if it contains results', async () => {
    for (const { file: name } of FILES.filter(({ kind }) => kind.includes('testresult'))) {
      const { code, message } = await refusalOf(() => readBenchmarks(() => [bytesOf(name)], {}))
      expect([code, message]).toEqual(['not_a_benchmark', expect.stringContaining('TestResult')])
    }
  })

  it('is refused from another publisher without the kind', async () => {
    const others = FILES.filter((each) => expectedOf(each).some(({ doc_type: t }) => t === 'neither'))
    expect(others.length).toBeGreaterThan(0)
    for (const { file: name, ...rest } of others) {
      const { code } = await refusalOf(() => readBenchmarks(() => [bytesOf(name)], {}))
      expect(code).toBe('unknown_benchmark_kind')
      const [first] = readBenchmarks(() => [bytesOf(name)], { documentType: 'stig', version: 'V1R0' })
      const [expected] = expectedOf({ file: name, ...rest })
      if (first === undefined || expected === undefined) throw new Error('Nothing was read')
      compare(first.benchmark, expected)
    }
  })

  it.each(FILES.filter(({ kind }) => !/benchmark|datastream|zip/.test(kind)))(
    'refuses $file, a $kind that is not a benchmark',
    async ({ file: name }) => {
      const { code } = await refusalOf(() => readBenchmarks(() => [bytesOf(name)], {}))
      expect(['not_a_benchmark', 'unsupported_file_type', 'bad_encoding']).toContain(code)
    },
  )

  it('has the same digest in other bytes, and a unique one', () => {
    const digests = new Map<string, string[]>()
    for (const { file: name, kind } of FILES.filter(isTaken)) {
      if (kind === 'zip') continue
      for (const { benchmark } of readBenchmarks(() => [bytesOf(name)], {})) {
        const key = contentDigest(benchmark)
        const label = `${benchmark.benchmarkId} ${benchmark.version}`
        digests.set(key, [...(digests.get(key) ?? []), label])
      }
    }
    const places = [...digests.values()].map((names) => [...new Set(names)])
    expect(places.every(({ length }) => length === 1)).toBe(true)
    expect(new Set(places.flat()).size).toBe(digests.size)
  })
})
