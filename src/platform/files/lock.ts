import { randomBytes } from 'node:crypto'
import { link, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode, Refusal } from '../errors.ts'
import { codeOf } from '../storage.ts'
import { readIfThere } from './durable.ts'
import { makeDataFolder } from './make-folder.ts'

/**
 * A lock of another machine that is this old is abandoned, because locks are renewed while their tasks run. It is not
 * possible to check whether a process of another machine is running.
 */
const ABANDONED_MS = 10 * 60_000
const RENEWAL_MS = 60_000
/** Errors of file systems without hard links, such as SMB. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])
const RETRY_MS = 50

/** Locks of this process. A file with its id may also be from an earlier process with the same id. */
const heldLocks = new Set<string>()

interface LockOptions {
  /** The lock file. */
  readonly lock: string
  /** The activity of the process that holds it, as a predicate: `is writing releases`. */
  readonly activity: string
  readonly waitMs: number
}

/**
 * Runs a task under a lock, which no other task has at the same time, in this process or another one. Refuses if the lock
 * is not free after `waitMs`. A lock whose owner was killed does not count.
 */
export async function withLock<T>({ lock, activity, waitMs }: LockOptions, task: () => Promise<T>): Promise<T> {
  makeDataFolder(dirname(lock))
  const until = performance.now() + waitMs
  while (!(await tryLock(lock))) {
    if (performance.now() >= until) throw new Refusal('folder_unusable', `Another process ${activity} (${lock}).`)
    await sleep(RETRY_MS)
  }
  const renewing = setInterval(() => void renew(lock), RENEWAL_MS).unref()
  try {
    return await task()
  } finally {
    clearInterval(renewing)
    await rm(lock, { force: true })
    heldLocks.delete(lock)
  }
}

/** Best effort: a lock that cannot be renewed still holds for ten minutes. */
async function renew(lock: string): Promise<void> {
  const now = new Date()
  await utimes(lock, now, now).catch(() => undefined)
}

async function tryLock(lock: string): Promise<boolean> {
  if (heldLocks.has(lock)) return false
  heldLocks.add(lock)
  try {
    if (await create(lock)) return true
    const owner = await readIfThere(lock)
    if (owner !== null && !(await isHeld(lock, owner))) await removeLock(lock, owner)
    if (await create(lock)) return true
  } catch (error) {
    heldLocks.delete(lock)
    throw error
  }
  heldLocks.delete(lock)
  return false
}

/**
 * Creates the lock together with its content. A lock that is created first and written afterwards would be empty in
 * between, and another process would regard it as abandoned.
 */
async function create(lock: string): Promise<boolean> {
  const draft = temporaryNameOf(lock)
  const owner = `${process.pid} ${hostname()}`
  try {
    await writeFile(draft, owner)
    await link(draft, lock).catch(async (error: unknown) => {
      if (!WITHOUT_LINKS.has(codeOf(error))) throw error
      await writeFile(lock, owner, { flag: 'wx' })
    })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Removes an abandoned lock. If another process has just done the same and already has a new lock, that one is restored.
 */
async function removeLock(lock: string, owner: string): Promise<void> {
  const away = temporaryNameOf(lock)
  try {
    await rename(lock, away)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  if ((await readIfThere(away)) !== owner) await link(away, lock).catch(() => undefined)
  await rm(away, { force: true })
}

function temporaryNameOf(lock: string): string {
  return `${lock}.${randomBytes(6).toString('hex')}`
}

/** Whether the owner of a lock, on this machine or another one, may still be running. */
async function isHeld(lock: string, owner: string): Promise<boolean> {
  const [pid, host = hostname()] = owner.split(' ')
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
