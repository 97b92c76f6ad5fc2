// @module-tag node

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Protocol } from '../../../src/platform/threads/protocol.ts'
import { SupervisedThread } from '../../../src/platform/threads/supervised-thread.ts'
import { temporaryFolder } from '../../support/folder.ts'

interface Looking {
  readonly look: { readonly question: null; readonly answer: number }
}

const SERVE = new URL('../../../src/platform/threads/serve.ts', import.meta.url).href
/** Answers how often it has looked for all garbage because it was told to, and not because V8 found it full. */
const MODULE = `
  import { constants, PerformanceObserver } from 'node:perf_hooks'
  import { z } from 'zod'
  import { serve } from '${SERVE}'
  let looks = 0
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries())
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR && (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED))
        looks += 1
  }).observe({ entryTypes: ['gc'] })
  serve({ look: { question: z.null(), answer: z.number() } }, { look: () => looks }, 300)`

it('A busy thread frees the memory that opening took', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'module.ts')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(path, MODULE.replace("'zod'", `'${import.meta.resolve('zod')}'`))
  const protocol: Protocol<Looking> = { look: { question: z.null(), answer: z.number() } }
  const thread = new SupervisedThread({
    module: pathToFileURL(path),
    protocol,
    limits: { heapMegabytes: 64, openingMs: 60_000, answerMs: 60_000 },
    refuse: ({ cause }) => cause,
  })
  onTestFinished(() => thread.close())
  const look = (): Promise<number> => thread.ask('look', null)
  await expect.poll(look, { timeout: 60_000, interval: 20 }).toBe(1)
}, 70_000)
