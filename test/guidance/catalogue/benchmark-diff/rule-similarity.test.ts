import { describe, expect, it } from 'vitest'
import { RuleSimilarity } from '../../../../src/guidance/catalogue/benchmark-diff/rule-similarity.ts'
import type { Rule } from '../../../../src/guidance/catalogue/xccdf/benchmark.ts'
import { readBenchmarks } from '../../../../src/guidance/catalogue/xccdf/reader.ts'
import { Pauses } from '../../../../src/platform/concurrency/turns.ts'
import { xccdfDocument } from '../../../support/xccdf-document.ts'

interface Texts {
  readonly title?: string
  readonly check?: string
  readonly fix?: string
  readonly discussion?: string
}

/** Rules with these texts and no other. */
function rulesOf(texts: readonly Texts[]): readonly Rule[] {
  const bytes = new Uint8Array(Buffer.from(xccdfDocument({ rules: [{ id: 'SV-1r1_rule' }] })))
  const rules = readBenchmarks(() => [bytes], {})[0]?.benchmark.rules ?? []
  return texts.flatMap(({ title = '', check = '', fix = '', discussion = '' }) =>
    rules.map((rule) => ({
      ...rule,
      title,
      checks: [{ system: null, contentRefName: null, contentRefHref: null, content: check }],
      fixes: [{ fixref: null, fixId: null, text: fix }],
      discussion: { ...rule.discussion, vuln_discussion: discussion },
    })),
  )
}

async function similarityIn(rules: readonly Rule[]): Promise<RuleSimilarity> {
  return await RuleSimilarity.of([rules], new Pauses())
}

/** Likeness of the only two rules of a release. */
async function between(first: Texts, second: Texts): Promise<number> {
  const [a, b] = rulesOf([first, second])
  if (a === undefined || b === undefined) throw new Error('The rules were not read')
  return (await RuleSimilarity.of([[a], [b]], new Pauses())).between(a, b)
}

/** Words of a title, as they are compared. */
async function wordsOf(title: string): Promise<readonly string[]> {
  const [said, silent] = rulesOf([{ title }, {}])
  if (said === undefined || silent === undefined) throw new Error('The rules were not read')
  return (await similarityIn([said])).titleWordsOnlyIn(said, silent)
}

describe('The similarity of two rules', () => {
  const KETTLE = { title: 'kettle', check: 'boil water', discussion: 'steam' }
  const SPOON = { title: 'spoon', check: 'stir sugar', discussion: 'sweetness' }

  it.for<readonly [string, Texts, number]>([
    ['nothing', {}, 0],
    ['the title', { title: 'kettle' }, 2 / 5],
    ['the check', { check: 'boil water' }, 2 / 5],
    ['the discussion', { discussion: 'steam' }, 1 / 5],
    ['title and discussion', { title: 'kettle', discussion: 'steam' }, 3 / 5],
    ['title and check', { title: 'kettle', check: 'boil water' }, 4 / 5],
    ['everything', KETTLE, 1],
  ])('is the weight of the parts in common if %s is the same', async ([, same, expected]) => {
    expect(await between(KETTLE, { ...SPOON, ...same })).toBeCloseTo(expected, 10)
  })

  it.for<readonly [string, Texts, number]>([
    ['the discussion', { title: 'kettle', check: 'stir sugar' }, 1 / 2],
    ['the check', { title: 'kettle', discussion: 'sweetness' }, 2 / 3],
    ['the title', { check: 'stir sugar', discussion: 'steam' }, 1 / 3],
    ['all but the check', { check: 'boil water' }, 1],
    ['every part', {}, 0],
  ])('leaves out %s where one rule lacks it', async ([, other, expected]) => {
    expect(await between(KETTLE, other)).toBeCloseTo(expected, 10)
    expect(await between(other, KETTLE)).toBeCloseTo(expected, 10)
  })

  it('leaves out parts that have signs but no words', async () => {
    expect(await between({ title: 'kettle', check: '--' }, { title: 'kettle', check: '--' })).toBeCloseTo(1, 10)
    expect(await between({ title: '--' }, { title: '--' })).toBe(0)
  })

  it('counts texts of checks and of fixes as one part', async () => {
    expect(await between({ check: 'boil', fix: 'water' }, { check: 'water', fix: 'boil' })).toBeCloseTo(1, 10)
  })

  it('weighs a word by its rarity, and by the logarithm of how often it is repeated', async () => {
    const [shared, rare] = [Math.log(2), Math.log(3)]
    const once = shared ** 2 / (shared ** 2 + rare ** 2)
    expect(await between({ title: 'kettle lid' }, { title: 'kettle spout' })).toBeCloseTo(once, 10)
    const thrice = shared * (1 + Math.log(3))
    const repeated = (thrice * shared) / Math.hypot(thrice, rare) / Math.hypot(shared, rare)
    expect(await between({ title: 'kettle kettle lid kettle' }, { title: 'kettle spout' })).toBeCloseTo(repeated, 10)
  })

  it('compares the first 6000 characters of a part', async () => {
    const start = 'kettle '.padEnd(6000, '-')
    expect(await between({ check: `${start}lid` }, { check: `${start}spout` })).toBeCloseTo(1, 10)
    expect(await between({ check: `${start.slice(3)}lid` }, { check: `${start.slice(3)}spout` })).toBeLessThan(1)
  })
})

describe('A word of a rule', () => {
  it.for<readonly [string, readonly string[]]>([
    ['Set the Größe', ['set', 'the', 'größe']],
    ['use a TLS 1.2, not v1 x', ['use', 'tls', '1', '2', 'not', 'v1']],
    ['wait 15 minutes', ['wait', '15', 'minutes']],
    ['own /tmp.', ['own', 'tmp', '/tmp']],
    ['own /var/tmp', ['own', 'var', 'tmp', '/var/tmp']],
    ['own /etc/gshadow-', ['own', 'etc', 'gshadow', '/etc/gshadow-']],
    ['own /etc/cron.d/my_jobs.conf.', ['own', 'etc', 'cron', 'my', 'jobs', 'conf', '/etc/cron.d/my_jobs.conf']],
    ['own /.x-y/z', ['own', '/.x-y/z']],
    ['--', []],
  ])('of %s is in lower case, a digit or a whole path, but no single letter', async ([title, words]) => {
    expect(await wordsOf(title)).toEqual(words)
  })

  it.for<readonly [rules: number, most: number]>([
    [12, 10],
    [30, 10],
    [60, 20],
  ])('is common among %i rules if more than %i have it', async ([count, most]) => {
    const texts = Array.from({ length: count }, (_, index) => ({
      title: [...(index < most ? ['kettle'] : []), ...(index <= most ? ['spoon'] : []), `thing${index}`].join(' '),
    }))
    const rules = rulesOf(texts)
    const [first, last] = [rules[0], rules.at(-1)]
    if (first === undefined || last === undefined) throw new Error('The rules were not read')
    const similarity = await similarityIn(rules)
    expect(similarity.titleWordsOnlyIn(first, last)).toEqual(['kettle', 'thing0'])
    expect([...similarity.title(first).keys()]).toEqual(['kettle', 'thing0'])
  })

  it('is counted once for a rule that repeats it', async () => {
    const rules = rulesOf(Array.from({ length: 10 }, () => ({ title: 'kettle kettle', check: 'kettle' })))
    const [rule] = rules
    if (rule === undefined) throw new Error('The rules were not read')
    expect([...(await similarityIn(rules)).title(rule)]).toEqual([['kettle', 1]])
  })

  it('is counted in 500 rules of a release, spread over all of it', async () => {
    const rules = rulesOf(Array.from({ length: 1000 }, (_, index) => ({ title: index % 2 === 0 ? 'kettle' : 'spoon' })))
    const [even, odd] = rules
    if (even === undefined || odd === undefined) throw new Error('The rules were not read')
    const similarity = await similarityIn(rules)
    expect([similarity.titleWordsOnlyIn(even, odd), similarity.titleWordsOnlyIn(odd, even)]).toEqual([[], ['spoon']])
  })

  it.for<readonly [string, Texts]>([
    ['title', { title: 'lid kettle' }],
    ['check', { check: 'open the lid', fix: 'kettle' }],
    ['fix', { check: 'kettle', fix: 'lid' }],
    ['discussion', { discussion: 'kettle lid' }],
  ])('is in both rules if the other has it in its %s', async ([, texts]) => {
    const [first, second] = rulesOf([{ title: 'kettle lid spout' }, texts])
    if (first === undefined || second === undefined) throw new Error('The rules were not read')
    expect((await similarityIn([first, second])).titleWordsOnlyIn(first, second)).toEqual(['spout'])
  })
})
