import { describe, expect, it } from 'vitest'
import { StringList } from '../../../src/search/index/string-list.ts'

describe('The strings that contain a text', () => {
  const list = StringList.of(['ab', 'abc', 'bca', 'caf\u00e9', 'logon', 'permitrootlogin'])

  it.each([
    ['ab', ['ab', 'abc']],
    ['bc', ['abc', 'bca']],
    ['log', ['logon', 'permitrootlogin']],
    ['in', ['permitrootlogin']],
    ['f\u00e9', ['caf\u00e9']],
    ['abab', []],
    ['nlog', []],
    ['', []],
  ])('are found within each string alone: %j', (text, expected) => {
    expect(list.placesContaining(text).map((index) => list.at(index))).toEqual(expected)
  })
})
