import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FIELD_BITS, type FieldName, type Section } from '../../../src/search/index/fields.ts'
import { hitsOf } from '../../../src/search/index/hits.ts'
import { RecordIndex } from '../../../src/search/index/record-index.ts'
import type { IndexedRecord } from '../../../src/search/index/segment-builder.ts'
import { firstSection } from '../../../src/search/index/texts.ts'

const FIELDS: readonly FieldName[] = ['title', 'fix', 'names']

function record(key: number, ...sections: readonly Section[]): IndexedRecord {
  return { key, owner: key % 3, severity: 0, fold: 0, sections }
}

function section(field: FieldName, text: string, ...compounds: readonly string[]): Section {
  return { field, words: text.split(' ').filter((word) => word !== ''), compounds }
}

/** Keys of the records with a phrase, ascending. */
function keysWith(
  index: RecordIndex,
  text: string,
  { fields, prefix = false }: { readonly fields?: number; readonly prefix?: boolean } = {},
): readonly number[] {
  const phrase = { words: text.split(' '), prefix }
  return index.parts
    .flatMap(({ segment, deleted }) => {
      const { records } = hitsOf(segment, phrase, fields)
      return Array.from(records, (number) => (deleted[number] === 1 ? [] : [segment.keys[number] ?? 0])).flat()
    })
    .sort((a, b) => a - b)
}

describe('The index of records', () => {
  it('finds words, phrases within one field, and beginnings', () => {
    const index = new RecordIndex()
    index.replace(
      [
        record(1, section('title', 'lock the account'), section('fix', 'set it')),
        record(2, section('title', 'lock'), section('fix', 'the account', 'theaccount')),
        record(3, section('title', 'accounting rules'), section('title', 'another title')),
      ],
      [],
    )
    expect(keysWith(index, 'account')).toEqual([1, 2])
    expect(keysWith(index, 'account', { fields: FIELD_BITS.title })).toEqual([1])
    expect(keysWith(index, 'lock the')).toEqual([1])
    expect(keysWith(index, 'the account')).toEqual([1, 2])
    expect(keysWith(index, 'the account', { fields: FIELD_BITS.title })).toEqual([1])
    expect(keysWith(index, 'rules another')).toEqual([])
    expect(keysWith(index, 'theaccount')).toEqual([2])
    expect(keysWith(index, 'acc', { prefix: true })).toEqual([1, 2, 3])
    expect(keysWith(index, 'lock the acc', { prefix: true })).toEqual([1])
    expect(keysWith(index, 'nothing')).toEqual([])
  })

  it('weighs a word by its field, how often it is there, and the length of the text', () => {
    const index = new RecordIndex()
    index.replace(
      [
        record(1, section('fix', 'root')),
        record(2, section('title', 'root')),
        record(3, section('fix', 'root root')),
        record(4, section('fix', `root ${'filler '.repeat(200)}`)),
      ],
      [],
    )
    const worthOf = (key: number): number => {
      const [part] = index.parts
      const { records, worths } =
        part === undefined ? { records: [], worths: [] } : hitsOf(part.segment, { words: ['root'], prefix: false })
      return worths[Array.from(records).findIndex((number) => part?.segment.keys[number] === key)] ?? 0
    }
    const [once, titled, twice, long] = [1, 2, 3, 4].map(worthOf)
    expect(titled).toBeGreaterThan(Number(twice))
    expect(twice).toBeGreaterThan(Number(once))
    expect(once).toBeGreaterThan(Number(long))
  })

  it('keeps the words of the first section, to be read of many records', () => {
    const index = new RecordIndex()
    index.replace([record(1, section('cited', 'cci-366 cci-15'), section('title', 'lock'))], [])
    const [part] = index.parts
    expect(part && firstSection(part.segment, 0, FIELD_BITS.cited)).toEqual(['cci-366', 'cci-15'])
    expect(part && firstSection(part.segment, 0, FIELD_BITS.title)).toEqual([])
  })

  it('equals a plain list of the records after any changes, in few segments', async () => {
    const word = fc.constantFrom('a', 'b', 'c', 'ab', 'ñu', '𝕏y')
    const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '))
    const change = fc.record({
      put: fc.array(fc.tuple(fc.nat(12), fc.constantFrom(...FIELDS), text), { maxLength: 4 }),
      deleted: fc.array(fc.nat(12), { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 25 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        async (changes, words) => {
          const index = new RecordIndex()
          const list = new Map<number, IndexedRecord>()
          for (const { put, deleted } of changes) {
            const records = new Map(put.map(([key, field, wordList]) => [key, record(key, section(field, wordList))]))
            for (const key of deleted) list.delete(key)
            for (const [key, indexed] of records) list.set(key, indexed)
            index.replace(records.values(), deleted)
          }
          const phrase = words.join(' ')
          const expected = [...list.values()].filter(({ sections }) =>
            sections.some((part) => ` ${part.words.join(' ')} `.includes(` ${phrase} `)),
          )
          const keys = expected.map(({ key }) => key).sort((a, b) => a - b)
          expect(keysWith(index, phrase)).toEqual(keys)
          await index.tidied()
          expect(keysWith(index, phrase)).toEqual(keys)
          expect(index.size).toBe(list.size)
          expect(index.parts.length).toBeLessThanOrEqual(6)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('knows the records of an owner', () => {
    const index = new RecordIndex()
    index.replace([record(3, section('title', 'a')), record(6, section('title', 'b'))], [])
    index.replace([record(4, section('title', 'c'))], [3])
    expect(index.keysOf(0)).toEqual([6])
    expect(index.keysOf(1)).toEqual([4])
  })

  it('merges portions of similar size into one segment, also after it was saved', async () => {
    const index = new RecordIndex()
    for (const [batch, size] of [60, 52, 58, 51, 50].entries())
      index.replace(
        Array.from({ length: size }, (_, key) => record(100 * batch + key, section('title', 'a'))),
        [],
      )
    const again = new RecordIndex()
    for (const { segment } of index.parts) again.add(segment)
    expect(again.parts).toHaveLength(5)
    again.tidy()
    await Promise.all([index.tidied(), again.tidied()])
    for (const { parts, size } of [index, again]) {
      expect(parts).toHaveLength(1)
      expect(size).toBe(271)
    }
  })

  it('answers while segments are merged, including changes made meanwhile', async () => {
    // Time flies: everybody else has their turn as often as there is a chance.
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000))
    onTestFinished(() => {
      clock.mockRestore()
    })
    const index = new RecordIndex()
    const titled = (key: number, title: string): IndexedRecord =>
      record(key, section('title', `${title} word${key} ${'much '.repeat(30)}${key % 7}`))
    const keys = Array.from({ length: 900 }, (_, key) => key)
    index.replace(
      keys.slice(0, 450).map((key) => titled(key, 'old')),
      [],
    )
    index.replace(
      keys.slice(450).map((key) => titled(key, 'old')),
      [],
    )
    const whenTidy = vi.fn()
    const tidied = index.tidied().then(whenTidy)
    let turns = 0
    for (; whenTidy.mock.calls.length === 0; turns += 1) {
      if (turns === 2) index.replace([titled(3, 'new')], [5, 460])
      const present = keys.filter((key) => turns < 2 || (key !== 5 && key !== 460))
      expect(keysWith(index, 'much')).toEqual(present)
      expect(keysWith(index, 'new')).toEqual(turns < 2 ? [] : [3])
      await setImmediate()
    }
    await tidied
    expect(turns).toBeGreaterThan(4)
    expect(index.parts).toHaveLength(2)
    expect(index.placeOf(5)).toBeNull()
    expect(keysWith(index, 'word3')).toEqual([3])
    expect(keysWith(index, 'old')).toEqual(keys.filter((key) => ![3, 5, 460].includes(key)))
    expect(keysWith(index, 'old word7')).toEqual([7])
    for (const { segment, deleted } of index.parts)
      for (const [number, key] of segment.keys.entries())
        if (deleted[number] === 0) expect(index.placeOf(key)?.record).toBe(number)
  })
})
