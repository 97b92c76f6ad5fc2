import { describe, expect, it } from 'vitest'
import { deriveVersion, releaseDate, releaseInformation } from '../../../../src/guidance/catalogue/xccdf/version.ts'

describe('The version of a benchmark', () => {
  it.each([
    ['2', 'Release: 7 Benchmark Date: 05 Jan 2026', 'V2R7'],
    [' 04 ', 'Release: 03', 'V4R3'],
    ['1', 'Release: 0.1 Benchmark Date: 12 Aug 2025', 'V1R0.1'],
    ['4', 'Release: 1.17', 'V4R1.17'],
    ['002.002', 'Benchmark Date: 24 Oct 2024', 'V2R2'],
    ['001.001', 'Release: 1.1', 'V1R1'],
    ['V2R9', 'Release: 8', 'V2R9'],
    ['v1r0.2', '', 'V1R0.2'],
    ['v4.0.0', 'Release: 1', null],
    ['6.3.3', 'Enhanced Content 6.3.3, based on Release: 6.3', null],
    ['1.0', '', null],
    ['2', 'Release: 1.2.3', null],
    ['2', '', null],
    [null, 'Release: 1', null],
  ])('of %j and %j is %j', (version, release, derived) => {
    expect(deriveVersion(version, release)).toBe(derived)
  })

  it('is read from the release information among plain texts', () => {
    const other = { id: 'generator', text: '3.5' }
    const unnamed = { id: null, text: 'Release: 1' }
    const named = { id: 'release-info', text: 'Release: 2' }
    expect(releaseInformation([other, unnamed, named])).toBe('Release: 2')
    expect(releaseInformation([other, unnamed])).toBe('Release: 1')
    expect(releaseInformation([other])).toBe('')
  })
})

describe('The release date of a benchmark', () => {
  it.each([
    ['Release: 7 Benchmark Date: 05 Jan 2026', '2026-01-05'],
    ['Benchmark Date: 27 July 2018', '2018-07-27'],
    ['Benchmark Date: 1 Sept. 2019', '2019-09-01'],
    ['Benchmark Date: 2022-10-27', '2022-10-27'],
    ['Benchmark Date: 31 Feb 2020', null],
    ['Benchmark Date: 05 Foo 2020', null],
    ['Release: 3', null],
  ])('in %j is %j', (text, date) => {
    expect(releaseDate(text)).toBe(date)
  })
})
