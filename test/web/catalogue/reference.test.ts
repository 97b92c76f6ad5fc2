import { describe, expect, it } from 'vitest'
import {
  controlOfPart,
  groupByRevision,
  rulesOfProducts,
} from '../../../src/web/application/catalogue/reference/control-references.ts'
import { cutAtParameters } from '../../../src/web/application/catalogue/reference/control/parameters.ts'
import { cciPath, controlPath } from '../../../src/web/application/catalogue/release-paths.ts'

describe('The text of a control', () => {
  it.each([
    ['Assign managers;', ['Assign managers;']],
    ['Lock after [Assignment: time] for all.', ['Lock after ', '<[Assignment: time]>', ' for all.']],
    [
      '[Selection (one or more): disable; remove after [Assignment: time]] and [Assignment: who].',
      ['<[Selection (one or more): disable; remove after [Assignment: time]]>', ' and ', '<[Assignment: who]>', '.'],
    ],
    ['See [1] and [Withdrawn].', ['See [1] and [Withdrawn].']],
    ['Lock after [Assignment: time', ['Lock after [Assignment: time']],
    ['', []],
  ])('is cut at its parameters: %s', (text, expected) => {
    const pieces = cutAtParameters(text).map((piece) => (piece.isParameter ? `<${piece.text}>` : piece.text))
    expect(pieces).toEqual(expected)
  })
})

describe('The places of a CCI', () => {
  it('are grouped by revision, the newest first', () => {
    const placeIn = (revision: number, index: string) => ({ revision, control: controlOfPart(index), index })
    const places = [placeIn(3, 'AC-7 a'), placeIn(5, 'AC-7 a'), placeIn(5, 'AC-2 (7) (c)')]
    expect(
      groupByRevision(places).map((group) => [group.revision, group.places.map(({ control }) => control)]),
    ).toEqual([
      [5, ['AC-7', 'AC-2 (7)']],
      [3, ['AC-7']],
    ])
  })

  it('lead to the pages of controls', () => {
    expect(controlPath('AC-2 (1)')).toBe('/controls/AC-2(1)')
    expect(cciPath('CCI-000015')).toBe('/ccis/CCI-000015')
    expect(cciPath('a/b')).toBe('/ccis/a%2Fb')
  })
})

describe('The number of rules of several products', () => {
  it('is a sentence, or only 0', () => {
    expect(rulesOfProducts([])).toBe('0')
    expect(rulesOfProducts([{ rule_count: 1 }])).toBe('1 rule of 1 product')
    expect(rulesOfProducts([{ rule_count: 2 }, { rule_count: 3 }])).toBe('5 rules of 2 products')
  })
})
