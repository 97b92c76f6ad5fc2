// @module-tag node
// @module-tag long

import { getHeapStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { Heap } from '../../../src/platform/v8/heap.ts'

const taken = (): number => getHeapStatistics().total_heap_size

/** Keeps about so much of the heap for as long as it is used. */
function grown(megabytes: number): unknown[] {
  return Array.from({ length: megabytes }, () => Array.from({ length: 131_072 }, () => null))
}

it('A heap that has grown is collected, at intervals', () => {
  const heap = new Heap(0)
  heap.collect()
  const before = taken()
  const added = 8 + before / 2_000_000
  grown(added)
  const full = taken()
  expect(full).toBeGreaterThan(before * 1.25)
  new Heap(60_000).collectIfGrown()
  expect(taken()).toBe(full)
  heap.collectIfGrown()
  expect(taken()).toBeLessThan(full)
})

it('A heap that has not grown is left alone', () => {
  const heap = new Heap(0)
  heap.collect()
  const kept = grown(2)
  const before = taken()
  heap.collectIfGrown()
  expect(taken()).toBe(before)
  expect(kept).toHaveLength(2)
})
