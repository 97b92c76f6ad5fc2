import { expect } from 'vitest'
import { messageOf } from '../../../src/platform/errors.ts'

export interface SuiteTest {
  readonly name: string
  /** Says what is wrong, or throws it; null if the test passes. */
  readonly fault: () => Promise<string | null> | string | null
}

/** Names of tests that do not pass, by the reason. */
export type Exclusions = Readonly<Record<string, readonly string[]>>

/** Runs all tests of a suite. Fails unless exactly those do not pass that are excluded, and says how many pass. */
export async function expectToPass(suite: string, tests: readonly SuiteTest[], excluded: Exclusions): Promise<void> {
  const faults = new Map<string, string>()
  for (const test of tests) {
    const fault = await faultOf(test)
    if (fault !== null) faults.set(test.name, fault)
  }
  process.stderr.write(`W3C ${suite}: ${tests.length - faults.size} of ${tests.length} pass.\n`)
  const excludedNames = Object.values(excluded).flat()
  const unexpected = [...faults].filter(([name]) => !excludedNames.includes(name))
  expect(Object.fromEntries(unexpected), 'tests that fail').toEqual({})
  expect(
    excludedNames.filter((name) => !faults.has(name)),
    'excluded tests that pass',
  ).toEqual([])
  expect(tests.length, 'number of tests').toBeGreaterThan(0)
}

async function faultOf({ fault }: SuiteTest): Promise<string | null> {
  try {
    return await fault()
  } catch (error) {
    return messageOf(error)
  }
}
