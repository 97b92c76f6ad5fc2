// @module-tag node

import { constants, PerformanceObserver } from 'node:perf_hooks'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { collectWhenQuiet } from '../../../src/platform/v8/garbage.ts'

const { NODE_PERFORMANCE_GC_FLAGS_FORCED: FORCED, NODE_PERFORMANCE_GC_MAJOR: MAJOR } = constants
const collected = z.object({ detail: z.object({ kind: z.int(), flags: z.int() }) })

it('Garbage is collected once the service is idle', async () => {
  const forced: unknown[] = []
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind, flags } = collected.parse(entry).detail
      if (kind === MAJOR && (flags & FORCED) !== 0) forced.push(entry)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  onTestFinished(() => {
    observer.disconnect()
  })
  collectWhenQuiet()
  await expect.poll(() => forced.length, { timeout: 60_000, interval: 200 }).toBe(1)
}, 70_000)
