// @module-tag node

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, watch } from 'node:fs'
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { withLock } from '../../../src/platform/files/lock.ts'
import { builtModule } from '../../support/build.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'

const MINUTE = 60_000
const DONE = () => Promise.resolve('done')

interface Lock {
  readonly folder: string
  readonly lock: string
  /** Runs a task under the lock, after waiting for so long. */
  readonly run: <T>(task: () => Promise<T>, waitMs?: number) => Promise<T>
}

async function freshLock(): Promise<Lock> {
  const folder = await temporaryFolder()
  const lock = join(folder, '.lock')
  const run = <T>(task: () => Promise<T>, waitMs = 0) => withLock({ lock, activity: 'is at work', waitMs }, task)
  return { folder, lock, run }
}

const ROUNDS = 150

/** A program that takes the lock again and again without pausing, and notes when its task begins and ends. */
function contender({ lock, log }: { readonly lock: string; readonly log: string }): string {
  const [module, terms] = [builtModule('src/platform/files/lock.ts'), { lock, activity: '', waitMs: 0 }]
  return `
    import { appendFileSync } from 'node:fs'
    import { withLock } from ${JSON.stringify(module)}
    const note = () => appendFileSync(${JSON.stringify(log)}, process.pid + '\\n')
    for (let done = 0; done < ${ROUNDS}; ) {
      await withLock(${JSON.stringify(terms)}, async () => {
        note()
        await new Promise(setImmediate)
        note()
        done += 1
      }).catch((error) => {
        if (error.code !== 'folder_unusable') throw error
      })
    }`
}

async function grow(lock: string, ageMs: number): Promise<void> {
  const written = new Date(Date.now() - ageMs)
  await utimes(lock, written, written)
}

describe('A lock of another machine', () => {
  const ELSEWHERE = '1 another-machine'

  it.each([0, 1, 9])('is respected and unchanged when it is %i minutes old', async (minutes) => {
    const { lock, run } = await freshLock()
    await writeFile(lock, ELSEWHERE)
    await grow(lock, minutes * MINUTE)
    const { code, message } = await refusalOf(() => run(DONE))
    expect(code).toBe('folder_unusable')
    expect(message).toBe(`Another process is at work (${lock}).`)
    expect(await readFile(lock, 'utf8')).toBe(ELSEWHERE)
  })

  it.each([11, 60 * 24])('does not count when it is %i minutes old', async (minutes) => {
    const { folder, lock, run } = await freshLock()
    await writeFile(lock, ELSEWHERE)
    await grow(lock, minutes * MINUTE)
    expect(await run(() => readFile(lock, 'utf8'))).toBe(`${process.pid} ${hostname()}`)
    expect(await readdir(folder)).toEqual([])
  })

  it('is waited for', async () => {
    const { lock, run } = await freshLock()
    await writeFile(lock, ELSEWHERE)
    const running = run(DONE, 20_000)
    await grow(lock, 11 * MINUTE)
    expect(await running).toBe('done')
  })
})

describe('A lock of this machine', () => {
  it('is respected while its process runs, however old it is, and not afterwards', async () => {
    const { lock, run } = await freshLock()
    const other = spawn('sleep', ['60'])
    onTestFinished(() => void other.kill('SIGKILL'))
    await once(other, 'spawn')
    await writeFile(lock, `${other.pid ?? 0} ${hostname()}`)
    await grow(lock, 60 * MINUTE)
    expect((await refusalOf(() => run(DONE))).code).toBe('folder_unusable')
    other.kill('SIGKILL')
    await once(other, 'exit')
    expect(await run(DONE)).toBe('done')
  })

  it('always names its owner to other processes', async () => {
    const { folder, lock, run } = await freshLock()
    const seen = new Set<string>()
    const watcher = watch(folder, () => {
      try {
        seen.add(readFileSync(lock, 'utf8'))
      } catch {
        // It is gone again.
      }
    })
    onTestFinished(() => {
      watcher.close()
    })
    for (let time = 0; time < 50; time += 1) await run(() => sleep(1))
    expect([...seen].filter((owner) => owner !== `${process.pid} ${hostname()}`)).toEqual([])
  })

  it('does not grow old while its task runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { lock, run } = await freshLock()
    await run(async () => {
      await grow(lock, 9 * MINUTE)
      await vi.advanceTimersByTimeAsync(MINUTE)
      await vi.waitFor(async () => {
        expect(Date.now() - (await stat(lock)).mtimeMs).toBeLessThan(MINUTE)
      })
    })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps two tasks of one process apart', async () => {
    const { folder, run } = await freshLock()
    const order: string[] = []
    const first = run(async () => {
      order.push('first begins')
      expect((await refusalOf(() => run(DONE))).code).toBe('folder_unusable')
      order.push('first ends')
    })
    const second = run(() => Promise.resolve(order.push('second')), 20_000)
    await Promise.all([first, second])
    expect(order).toEqual(['first begins', 'first ends', 'second'])
    expect(await readdir(folder)).toEqual([])
  })

  it('separates processes that take and release it continuously', async () => {
    const { folder, lock } = await freshLock()
    const log = join(folder, 'log')
    const script = join(folder, 'contender.mjs')
    await writeFile(script, contender({ lock, log }))
    const contenders = Array.from({ length: 4 }, () => spawn(process.execPath, [script]))
    const ends = await Promise.all(contenders.map((contending) => once(contending, 'exit')))
    expect(ends.map(([status]) => Number(status))).toEqual([0, 0, 0, 0])
    const lines = (await readFile(log, 'utf8')).trim().split('\n')
    const overlaps = lines.filter((line, index) => index % 2 === 1 && line !== lines[index - 1])
    expect(lines).toHaveLength(4 * ROUNDS * 2)
    expect(overlaps).toEqual([])
  })

  it('is removed after a failed task', async () => {
    const { folder, run } = await freshLock()
    await expect(run(() => Promise.reject(new Error('out of ink')))).rejects.toThrow('out of ink')
    expect(await readdir(folder)).toEqual([])
    expect(await run(DONE)).toBe('done')
  })
})
