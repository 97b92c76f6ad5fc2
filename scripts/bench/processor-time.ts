import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sum } from './numbers.ts'

/** Ticks per second in the times that the kernel reports (`USER_HZ`), on every architecture that Node runs on. */
const TICK_MS = 10
const QUIET_MS = 2000
const QUIET_SHARE = 0.05

/** CPU time of a process and its children since they began, in milliseconds, by process. */
export async function processorTimes(pid: number): Promise<ReadonlyMap<number, number>> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const pids = [pid, ...children.trim().split(' ').filter(Boolean).map(Number)]
  return new Map(await Promise.all(pids.map(async (id) => [id, await timeOf(id)] as const)))
}

async function timeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in brackets, may contain spaces. The state follows it.
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(values[11]) + Number(values[12])) * TICK_MS
}

/** CPU time between two readings, by process. */
export function timesBetween(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): readonly number[] {
  return Array.from(after, ([pid, ms]) => ms - (before.get(pid) ?? 0))
}

/** Resolves when the work after a start is done: hashes of the release, and the index of the search. */
export async function untilQuiet(pid: number): Promise<void> {
  for (;;) {
    const before = await processorTimes(pid)
    await sleep(QUIET_MS)
    const busyMs = sum(timesBetween(before, await processorTimes(pid)))
    if (busyMs < QUIET_MS * QUIET_SHARE) return
  }
}
