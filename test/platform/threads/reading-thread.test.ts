import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { AskedThread, Patience } from '../../../src/platform/threads/asked-thread.ts'
import { readOnThread } from '../../../src/platform/threads/reading-thread.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'

const READY = "const { parentPort } = require('node:worker_threads');"

async function moduleOf(code: string): Promise<URL> {
  const path = join(await temporaryFolder(), 'module.cjs')
  await writeFile(path, `${READY}${code}`)
  return pathToFileURL(path)
}

async function read(module: URL): Promise<readonly unknown[]> {
  const parts: unknown[] = []
  for await (const part of readOnThread({ module, task: null, bytes: 1, account: 1 }))
    parts.push(part)
  return parts
}

describe('A thread that reads', () => {
  it('is given up when it does not answer in time, and so is what is asked of it later', async () => {
    const module = await moduleOf("parentPort.on('message', () => { for (;;); })")
    const thread = new AskedThread(module, { maxOldGenerationSizeMb: 64 })
    const patience = new Patience({ answerMs: 1, wholeMs: 1000 })
    const refusal = await refusalOf(() => thread.ask('a', patience))
    expect([refusal.code, refusal.message]).toEqual([
      'reading_too_long',
      'Reading the file takes too long: more than the limit of 1 seconds.',
    ])
    expect(thread.alive).toBe(false)
    expect(await refusalOf(() => thread.ask('b', patience))).toBe(refusal)
  })

  it('has a limit for all its answers together', () => {
    const patience = new Patience({ answerMs: 60_000, wholeMs: 100_000 })
    expect(patience.leftMs).toBe(60_000)
    patience.spend(90_000)
    expect([patience.leftMs, patience.refusal.message]).toEqual([
      10_000,
      'Reading the file takes too long: more than the limit of 100 seconds.',
    ])
    patience.spend(90_000)
    expect(patience.leftMs).toBe(0)
  })

  it('leaves its place when it cannot be started', async () => {
    for (let time = 0; time < 3; time += 1)
      await expect(read(new URL('http://127.0.0.1/a.js'))).rejects.toThrow('URL')
    const module = await moduleOf(
      "parentPort.on('message', () => parentPort.postMessage({ kind: 'end' }))",
    )
    expect(await read(module)).toEqual([])
  })
})
