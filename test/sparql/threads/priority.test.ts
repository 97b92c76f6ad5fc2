import { once } from 'node:events'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { lowerPriority, ownThreadId, restorePriority } from '../../../src/sparql/threads/priority.ts'

/** A thread that tells what the system calls it, as `ownThreadId` finds it out. */
const WAITING = `
const { parentPort } = require('node:worker_threads')
const { readlinkSync } = require('node:fs')
parentPort.on('message', () => undefined)
parentPort.postMessage(Number(readlinkSync('/proc/thread-self').split('/').at(-1)))`

describe.runIf(process.platform === 'linux')('The priority of a thread', () => {
  it('belongs to one thread, not to the process', async () => {
    const worker = new Worker(WAITING, { eval: true })
    onTestFinished(async () => {
      await worker.terminate()
    })
    const [id] = z.tuple([z.int()]).parse(await once(worker, 'message'))
    const before = getPriority()
    expect([ownThreadId() === id, getPriority(id)]).toEqual([false, before])
    expect(lowerPriority(id)).toBe(true)
    expect([getPriority(id), getPriority()]).toEqual([Math.min(19, before + 10), before])
    // Raising the priority again needs a right that the system may not give.
    expect(restorePriority(id)).toBe(getPriority(id) === before)
  })

  it('cannot be set for a thread that has ended', () => {
    expect(lowerPriority(2 ** 22 + 1)).toBe(false)
  })
})
