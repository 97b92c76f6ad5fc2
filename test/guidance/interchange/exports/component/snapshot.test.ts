import { beforeAll, describe, expect, it } from 'vitest'
import { snapshotOf } from '../../../../../src/guidance/interchange/exports/component/snapshot.ts'
import { guidanceService } from '../../../../support/guidance.ts'
import { makeTeapot, read } from '../teapot.ts'

type Rules = Parameters<typeof snapshotOf>[0]
type Rule = Rules[number]

const guidance = guidanceService()

let rules: Rules

beforeAll(async () => {
  const owner = await guidance().signUp('Owner')
  const made = await makeTeapot(guidance(), owner, { projectId: await guidance().project(owner) })
  rules = (await read(guidance(), made.id)).rules
})

const CHANGES: readonly (readonly [string, (rule: Rule) => Partial<Rule>])[] = [
  ['the number', ({ number }) => ({ number: number + 100 })],
  ['a text', () => ({ fixtext: 'Shut it.' })],
  ['a check', ({ checks }) => ({ checks: checks.map((check) => ({ ...check, content: 'Is it shut?' })) })],
  ['the number of checks', () => ({ checks: [] })],
]

describe('The digest of the rules', () => {
  it.each(CHANGES)('differs after a change of %s', async (_name, change) => {
    const changed = rules.map((rule, index) => (index === 0 ? { ...rule, ...change(rule) } : rule))
    expect(await snapshotOf(changed)).not.toBe(await snapshotOf(rules))
  })

  it('does not depend on the order of the rules', async () => {
    expect(await snapshotOf(rules.toReversed())).toBe(await snapshotOf(rules))
  })
})
