import { describe, expect, it } from 'vitest'
import { ncNameOf } from '../../../../../src/guidance/interchange/exports/component/identifiers.ts'

describe('The id derived from a name', () => {
  it.each([
    ['Red Pot 9', 'Red_Pot_9'],
    ['3 Pots & <Lids>', '_3_Pots_Lids_'],
    ['-a', '_-a'],
    ['µ-Controller', 'μ-Controller'],
    ['Tª', 'Ta'],
    ['ʰ', 'h'],
    ['Тест 試験 Ärger', 'Тест_試験_Ärger'],
    ['\ua641', '_'],
    [' Red Pot ', 'Red_Pot'],
    ['', '_'],
  ])('%s is %s', (name, id) => {
    expect(ncNameOf(name)).toBe(id)
  })
})
