// @module-tag node
// @module-tag long

import { getHeapStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { Heap } from '../../../src/platform/v8/heap.ts'

const taken = (): number => getHeapStatistics().total_heap_size

/** Takes about one megabyte of the heap for as long as it is kept. */
const megabyte = (): unknown[] => Array.from({ length: 131_072 }, () => null)

it('A heap that has grown is collected, at intervals', () => {
  const heap = new Heap(0)
  heap.collect()
  const limit = Math.max(taken() * 1.25, taken() + 8 * 1024 * 1024)
  const kept: unknown[] = []
  // New objects first fill what is free in the heap, which differs from run to run.
  while (taken() <= limit) kept.push(megabyte())
  kept.length = 0
  const full = taken()
  new Heap(60_000).collectIfGrown()
  expect(taken()).toBe(full)
  heap.collectIfGrown()
  expect(taken()).toBeLessThan(full)
})

it('A heap that has not grown is left alone', () => {
  const heap = new Heap(0)
  heap.collect()
  const kept = [megabyte(), megabyte()]
  const before = taken()
  heap.collectIfGrown()
  expect(taken()).toBe(before)
  expect(kept).toHaveLength(2)
})
