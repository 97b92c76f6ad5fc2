import { describe, expect, it } from 'vitest'
import { momentInWords, readMoment } from '../../src/web/application/parts/words/moments.ts'

const NOW = new Date(2026, 10, 29, 0, 30)

describe('A moment in words', () => {
  it.each([
    [new Date(2026, 10, 29, 10, 41), 'today 10:41'],
    [new Date(2026, 10, 28, 23, 59), 'yesterday 23:59'],
    [new Date(2026, 10, 30, 0, 5), 'tomorrow 00:05'],
    [new Date(2026, 10, 27, 12), 'Nov 27'],
    [new Date(2026, 0, 5, 12), 'Jan 5'],
    [new Date(2025, 11, 31, 12), '2025-12-31'],
  ])('is relative to the day of the reader: %s', (moment, words) => {
    expect(momentInWords(moment, NOW)).toBe(words)
  })

  it('counts days where clocks are changed in between', () => {
    expect(momentInWords(new Date(2026, 2, 28, 12), new Date(2026, 2, 29, 23))).toBe('yesterday 12:00')
  })

  it('is read in both spellings of the API', () => {
    expect(readMoment('2026-01-31 23:59:59 UTC')).toEqual(readMoment('2026-01-31T23:59:59Z'))
  })
})
