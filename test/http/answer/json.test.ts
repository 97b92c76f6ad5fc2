// @module-tag node

import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { encodeJson } from '../../../src/http/answer/json.ts'

async function encoded(value: unknown): Promise<string> {
  const json = encodeJson(value)
  return typeof json === 'string' ? json : text(json)
}

function list(length: number): readonly unknown[] {
  return Array.from({ length }, (_none, index) => ({ index, text: `é "${index}" \\`, gone: undefined }))
}

describe('JSON in portions', () => {
  it.each([
    ['nothing', null],
    ['a short list', list(3)],
    ['a list that is just not long', list(50)],
    ['one that just is', list(51)],
    ['one that ends with a portion', list(150)],
    ['a record with long lists', { a: 1, gone: undefined, rules: list(120), b: [], more: list(60) }],
    ['a record that begins with nothing', { gone: undefined, rules: list(51) }],
  ])('is the same as JSON in one piece: %s', async (_what, value) => {
    expect(await encoded(value)).toBe(JSON.stringify(value))
  })

  it('yields between portions', async () => {
    let turns = 0
    let counting = setImmediate(function count() {
      turns += 1
      counting = setImmediate(count)
    })
    await encoded(Array.from({ length: 5000 }, () => 'x'.repeat(500)))
    clearImmediate(counting)
    expect(turns).toBeGreaterThan(50)
  })
})
