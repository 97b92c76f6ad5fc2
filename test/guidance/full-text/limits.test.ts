import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { entryOf, vectorOf } from '../../../src/guidance/database/words/entry.ts'
import { emptyCatalogue, sendGood, store } from '../../support/catalogue.ts'
import { guidanceService, type SessionClient } from '../../support/guidance.ts'
import { xccdfDocument } from '../../support/xccdf-document.ts'
import { bothIndexes } from './contents.ts'

const service = guidanceService()

let admin: SessionClient

beforeAll(async () => {
  const { email } = await service().person('Ann', { admin: true })
  admin = await service().signIn(email)
})

afterEach(() => emptyCatalogue(service()))

const numbered = (word: string, count: number): string =>
  Array.from({ length: count }, (_none, index) => `${word}${index}`).join(' ')

describe('An entry', () => {
  it.each([
    ['many words', numbered('ẅörd', 90_000)],
    ['one word over and over', 'kettle '.repeat(9_000)],
    ['words of many bytes', numbered('漢字'.repeat(20), 1_400)],
    ['one endless word', 'a-'.repeat(29_000)],
    ['one endless name', 'AaBb'.repeat(14_000)],
    ['characters outside the first plane', '𝔱𝔢𝔞 𠮷 '.repeat(13_000)],
  ])('takes texts of any length into both databases alike: %s', async (_what, long) => {
    const rule = { id: 'SV-3r1_rule', title: 'Kettle', fix: `Kettle ${long}`, discussion: long }
    const sample = { rules: [{ ...rule, checks: [long, long] }] }
    // The words of an upload are made where it is read, the others from what was stored.
    await sendGood(admin, xccdfDocument({ id: 'Sent_STIG', ...sample }))
    await store(service(), sample)
    const { kept, meant } = await bothIndexes(service())
    expect(Object.keys(kept)).toHaveLength(2)
    expect(kept).toEqual(meant)
  })

  it('is cut at what PostgreSQL can hold', () => {
    const about = { names: [], context: 'Guide' }
    const many = entryOf({ ...about, title: 'Title', texts: [numbered('word', 40_000)] })
    expect(many.texts.length).toBeGreaterThan(15_000)
    expect(many.texts.length).toBeLessThan(16_383)
    const often = entryOf({ ...about, title: 'kettle', texts: ['kettle '.repeat(300)] })
    expect(often.texts.filter((word) => word === 'kettl')).toHaveLength(254)
    expect(often.texts.slice(254, 300)).toEqual(Array(46).fill('-'))
  })

  it('becomes places of words, with gaps between lists', () => {
    expect(vectorOf(['a', 'b'], ['-', 'a'])).toBe("'a':1,5 'b':2")
  })
})
