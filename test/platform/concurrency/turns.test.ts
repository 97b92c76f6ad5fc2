// @module-tag node

import { describe, expect, it } from 'vitest'
import { inPortions } from '../../../src/platform/concurrency/turns.ts'

describe('Work in portions', () => {
  it('visits everything, and lets other work run between portions', async () => {
    const done: unknown[] = []
    for await (const portion of inPortions([1, 2, 3, 4, 5], 2)) {
      done.push(portion)
      setImmediate(() => done.push('other'))
    }
    expect(done).toEqual([[1, 2], 'other', [3, 4], 'other', [5]])
  })
})
