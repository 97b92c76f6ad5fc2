import { describe, expect, it } from 'vitest'
import { SearchTally } from '../../../../src/guidance/authoring/people/search-endpoint.ts'

describe('The tally of searches', () => {
  it('is logged at powers of ten for each person', () => {
    const tally = new SearchTally()
    const counts = Array.from({ length: 1200 }, () => tally.count('one'))
    expect(counts.filter((count) => count !== null)).toEqual([1, 10, 100, 1000])
    expect(tally.count('two')).toBe(1)
  })
})
