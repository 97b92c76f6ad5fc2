import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode, Refusal } from '../errors.ts'
import { readIfThere, refuseFolder } from './durable.ts'

/** Nobody holds a lock for so long; whether the process of another machine runs cannot be asked. */
const ABANDONED_MS = 10 * 60_000
const AGAIN_MS = 50

/** Locks that this process holds: its own id in a file does not tell whether it does. */
const held = new Set<string>()

interface LockTerms {
  /** The file that stands for it. */
  readonly lock: string
  /** What another process does that holds it: `is writing releases`. */
  readonly held: string
  readonly waitMs: number
}

/**
 * Runs a task while no other process runs one under the same lock, this one included. Refuses when one still does
 * after `waitMs`; a lock whose owner is gone (killed) does not count.
 */
export async function withLock<T>(
  { lock, held: said, waitMs }: LockTerms,
  task: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(lock), { recursive: true }).catch(refuseFolder)
  const until = performance.now() + waitMs
  while (!(await tryLock(lock))) {
    if (performance.now() >= until)
      throw new Refusal('folder_unusable', `Another process ${said} (${lock}).`)
    await sleep(AGAIN_MS)
  }
  try {
    return await task()
  } finally {
    await rm(lock, { force: true })
    held.delete(lock)
  }
}

async function tryLock(lock: string): Promise<boolean> {
  if (held.has(lock)) return false
  held.add(lock)
  try {
    if (await create(lock)) return true
    if (!(await isHeld(lock))) {
      await rm(lock, { force: true })
      if (await create(lock)) return true
    }
  } catch (error) {
    held.delete(lock)
    throw error
  }
  held.delete(lock)
  return false
}

async function create(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, `${process.pid} ${hostname()}`, { flag: 'wx' })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Whether the owner, a process of this machine or another one, may still be at it. */
async function isHeld(lock: string): Promise<boolean> {
  const [pid, host = hostname()] = ((await readIfThere(lock)) ?? '').split(' ')
  if (host === hostname()) return isRunning(Number(pid))
  const written = await stat(lock).catch(() => null)
  return written !== null && Date.now() - written.mtimeMs < ABANDONED_MS
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process exists, but belongs to somebody else.
    return hasCode(error, 'EPERM')
  }
}
