import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RANKING_RULES } from '../../scripts/bench/search-without.ts'

describe('Each rule of the ranking that the bench switches off', () => {
  it.each(RANKING_RULES)('occurs once: $name', ({ file, from }) => {
    const source = readFileSync(new URL(`../../src/search/${file}`, import.meta.url), 'utf8')
    expect(source.split(from)).toHaveLength(2)
  })
})
