import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Benchmark, Rule } from '../../src/guidance/catalogue/xccdf/benchmark.ts'
import { readBenchmarks } from '../../src/guidance/catalogue/xccdf/reader.ts'
import { adviseOn } from '../../src/wording/advise.ts'
import { GUIDE, type GuideCode } from '../../src/wording/guide.ts'
import type { WrittenRule } from '../../src/wording/rule.ts'
import { SentenceIndex } from '../../src/wording/sentence-index.ts'
import { CORPUS } from '../support/corpus.ts'
import { runs, spreadOf } from '../support/runs.ts'

const FOLDER = join(CORPUS, 'xccdf')
const isPresent = existsSync(FOLDER)

/** Benchmarks as DISA has published them; of the one that is no UTF-8, other tests say that it is refused. */
const FILES = isPresent ? readdirSync(FOLDER).filter((name) => /^(?:U_(?!MS_OneNote).*|disa-.*)\.xml$/.test(name)) : []

/** Findings of each kind: in all 4,519 rules, of which somebody has read samples, and the most in 100 rules of a file. */
const KNOWN: Readonly<Partial<Record<GuideCode, readonly [all: number, most: number]>>> = {
  title_must: [110, 97],
  title_should: [8, 14],
  title_capable: [15, 4],
  title_negative: [249, 15],
  title_sentences: [12, 12],
  discussion_risk: [225, 15],
  discussion_title: [15, 3],
  check_finding: [26, 14],
  check_steps: [12, 9],
  check_word: [220, 124],
  check_title: [2, 3],
  check_missing: [569, 100],
  fix_steps: [49, 43],
  fix_numbers: [321, 73],
  fix_word: [112, 87],
  fix_check: [3, 1],
  fix_missing: [325, 100],
  plain_quotes: [1019, 428],
  plain_characters: [127, 100],
  other_rule: [3243, 159],
}

/** A published rule as if its author had just written it. */
function writtenOf({ title, severity, checks, ...rule }: Rule, kind: Benchmark['kind']): WrittenRule {
  const { vuln_discussion, severity_override_guidance } = rule.discussion
  return {
    documentType: kind,
    severity,
    title,
    isSatisfied: false,
    requirement: null,
    status: kind === 'stig' ? 'Applicable - Configurable' : 'Applicable',
    checks: checks.map(({ content }, id) => ({ id, content })),
    texts: { vuln_discussion, severity_override_guidance, fixtext: rule.fixes[0]?.text ?? null },
  }
}

/** How many findings there are of each code in the benchmarks of a file. */
function measure(file: string): { readonly rules: number; readonly counts: ReadonlyMap<string, number> } {
  const source = readFileSync(join(FOLDER, file))
  const counts = new Map<string, number>()
  let count = 0
  for (const { benchmark } of readBenchmarks(() => [source], {})) {
    const rules = benchmark.rules.map((rule) => writtenOf(rule, benchmark.kind))
    const sentences = new SentenceIndex()
    for (const [id, rule] of rules.entries()) sentences.set({ id, name: String(id) }, rule)
    const findings = rules.flatMap((rule, id) => [...adviseOn(rule), ...sentences.findingsIn(id)])
    for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1)
    count += rules.length
  }
  return { rules: count, counts }
}
const CODES = Object.keys(GUIDE).filter((code): code is GuideCode => code in GUIDE)

describe.skipIf(!isPresent)('Advice on what DISA has published', () => {
  it.each(spreadOf(FILES, 6))('has no kind that finds more than it did: %s', (file) => {
    const { rules, counts } = measure(file)
    for (const code of CODES) {
      const [, most] = KNOWN[code] ?? [0, 0]
      expect(counts.get(code) ?? 0, code).toBeLessThanOrEqual((most * 1.2 * rules) / 100 + 1)
    }
  })

  it.skipIf(runs(1) === 1)('finds as many problems in all of it as were judged', () => {
    const measured = FILES.map(measure)
    expect(sumOf(measured.map(({ rules }) => rules))).toBe(4519)
    for (const code of CODES) {
      const [judged] = KNOWN[code] ?? [0, 0]
      const total = sumOf(measured.map(({ counts }) => counts.get(code) ?? 0))
      expect(Math.abs(total - judged), `${code}: ${total}`).toBeLessThanOrEqual(judged * 0.1 + 1)
    }
  })
})

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
