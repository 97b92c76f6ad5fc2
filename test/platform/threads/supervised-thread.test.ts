// @module-tag node

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { partsProtocol } from '../../../src/platform/threads/parts.ts'
import type { Protocol } from '../../../src/platform/threads/protocol.ts'
import { partsReader } from '../../../src/platform/threads/read-parts.ts'
import { ReadingThreads } from '../../../src/platform/threads/reading-threads.ts'
import { SupervisedThread, factsOf, type ThreadDeath } from '../../../src/platform/threads/supervised-thread.ts'
import { WaitLimit } from '../../../src/platform/threads/wait-limit.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'

interface Counting {
  readonly ask: { readonly question: string; readonly answer: number }
}

const PROTOCOL: Protocol<Counting> = { ask: { question: z.string(), answer: z.number() } }
const LIMITS = { heapMegabytes: 64, openingMs: 60_000, answerMs: 60_000 }
const PARTS = partsProtocol(z.string(), z.string())

const deaths: ThreadDeath[] = []
let open: SupervisedThread<Counting> | null = null

afterEach(async () => {
  await open?.close()
  deaths.length = 0
})

/** A module that says it is ready, and then what the code makes of each question. */
async function moduleOf(code: string): Promise<URL> {
  const path = join(await temporaryFolder(), 'module.cjs')
  await writeFile(
    path,
    `const { parentPort } = require('node:worker_threads');
    const answer = (id, answer) => parentPort.postMessage({ kind: 'answer', id, answer });
    parentPort.on('message', ({ id, question }) => { ${code} });
    parentPort.postMessage({ kind: 'ready' })`,
  )
  return pathToFileURL(path)
}

async function threadOf(code: string, limits = LIMITS): Promise<SupervisedThread<Counting>> {
  const refuse = (death: ThreadDeath): Error => {
    deaths.push(death)
    return new Error(`It is over: ${death.cause.message}`)
  }
  const module = await moduleOf(code)
  open = new SupervisedThread({ module, protocol: PROTOCOL, limits, refuse })
  return open
}

describe('A thread that is asked', () => {
  it('answers questions or returns the reason of a failure', async () => {
    const thread = await threadOf(`
      if (question === 'odd') answer(id, 'seven')
      else if (question === 'bug') parentPort.postMessage({ kind: 'failure', id, stack: 'at line 1' })
      else if (question === 'no') parentPort.postMessage(
        { kind: 'refusal', id, code: 'too_large', detail: 'So much.', members: { limit: 1 } })
      else answer(id, question.length)`)
    expect(await Promise.all(['a', 'bcd'].map((question) => thread.ask('ask', question)))).toEqual([1, 3])
    await expect(thread.ask('ask', 'odd')).rejects.toThrow('expected number')
    await expect(thread.ask('ask', 'bug')).rejects.toThrow('at line 1')
    expect(await refusalOf(() => thread.ask('ask', 'no'))).toMatchObject({
      code: 'too_large',
      message: 'So much.',
      members: { limit: 1 },
    })
    expect(await thread.ask('ask', 'ef')).toBe(2)
  })

  it.each([
    ['for (;;);', 'an answer took more than 100 ms', 100],
    ['process.exit()', 'the thread has ended', 60_000],
    ["throw new Error('A bug')", 'A bug', 60_000],
    ['answer(99, 1)', 'the thread sent an unknown message', 60_000],
    ["parentPort.postMessage('Hello')", 'the thread sent an unknown message', 60_000],
  ])('refuses everybody once it has died: %s', async (code, cause, answerMs) => {
    const thread = await threadOf(code, { ...LIMITS, answerMs })
    await thread.ready
    const asked = Array.from({ length: 5 }, () => thread.ask('ask', 'a'))
    for (const outcome of await Promise.allSettled(asked))
      expect(outcome).toMatchObject({ reason: { message: `It is over: ${cause}` } })
    expect(thread.alive).toBe(false)
    await expect(thread.ask('ask', 'b')).rejects.toThrow(`It is over: ${cause}`)
    expect(deaths.map((death) => [death.wasReady, factsOf(death)])).toEqual([
      [true, { cause, busyWith: ['ask', 'ask', 'ask'], waiting: 2 }],
    ])
  })

  it('has a time limit for becoming ready', async () => {
    const thread = await threadOf('', { ...LIMITS, openingMs: 1 })
    const asked = thread.ask('ask', 'a')
    await expect(thread.ready).rejects.toThrow(/^opening it took more than 1 ms$/)
    await expect(asked).rejects.toThrow('It is over: opening')
    expect(deaths).toMatchObject([{ wasReady: false, exceeded: { limit: 'time', value: 1 } }])
  })

  it('has a limit of simultaneous questions, except for privileged ones', async () => {
    const thread = await threadOf('')
    const asked = Array.from({ length: 1000 }, () => thread.ask('ask', 'a'))
    expect((await refusalOf(() => thread.ask('ask', 'b'))).code).toBe('overloaded')
    const other = thread.ask('ask', 'c', { always: true })
    const ended = Promise.allSettled([...asked, other])
    await thread.close(new Error('Enough'))
    for (const outcome of await ended) expect(outcome).toMatchObject({ reason: { message: 'Enough' } })
    expect(deaths).toEqual([])
  })
})

describe('WaitLimit', () => {
  it('is for one answer, and for all of them together', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const waitLimit = new WaitLimit({ answerMs: 60_000, wholeMs: 100_000 })
    const spend = (ms: number): readonly number[] => {
      const met = waitLimit.wait(() => null)
      vi.advanceTimersByTime(ms)
      met()
      return [waitLimit.leftMs, waitLimit.limitMs]
    }
    expect([spend(0), spend(90_000), spend(90_000)]).toEqual([
      [60_000, 60_000],
      [10_000, 100_000],
      [0, 100_000],
    ])
  })
})

describe('Threads that read', () => {
  it('refuse a file that takes too long', async () => {
    const module = await moduleOf('for (;;);')
    const limits = { heapMegabytes: 64, answerMs: 2000, wholeMs: 10, megabyteMs: 1 }
    const threads = new ReadingThreads({ module, protocol: PARTS, limits })
    const refusal = await refusalOf(() =>
      threads
        .lend(1, async function* (ask) {
          yield await ask('open', 'file')
        })
        .next(),
    )
    expect([refusal.code, refusal.message]).toEqual([
      'reading_too_long',
      'Reading the file takes too long: more than the limit of 1 seconds.',
    ])
  })

  it('free their place if they cannot be started', async () => {
    const file = { task: 'file', bytes: 1, account: 1 }
    const read = partsReader(new URL('http://127.0.0.1/a.js'), PARTS)
    for (let time = 0; time < 3; time += 1) await expect(read(file).next()).rejects.toThrow('URL')
    const module = await moduleOf('answer(id, null)')
    expect(await partsReader(module, PARTS)(file).next()).toMatchObject({ done: true })
  })
})
