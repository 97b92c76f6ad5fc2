import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Memory of one part of a process, in MB. */
export interface MemoryPart {
  readonly name: string
  /** Memory that V8 has reserved for its heap. */
  readonly heap: number
  /** WebAssembly and bytes outside the heap. */
  readonly external: number
}

/** A process at one moment, in MB. */
export interface ProcessMemory {
  readonly resident: number
  readonly peak: number
  /** Memory of files: the programs themselves, which the system can share and drop. */
  readonly files: number
  readonly parts: readonly MemoryPart[]
}

/** Reads the memory of a service from its metrics. */
export async function memoryOfProcess(pid: number, metricsUrl: string): Promise<ProcessMemory> {
  const megabytes = await statusOf(pid)
  const metrics = await (await fetch(metricsUrl)).text()
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? 0)
  const threads = [...metrics.matchAll(/^parapet_threads\{thread="([^"]+)"\} (\d+)$/gm)]
  const heap = value('nodejs_heap_size_total_bytes') / 1e6
  const main = { name: 'main', heap, external: value('nodejs_external_memory_bytes') / 1e6 }
  const others = threads
    .filter(([, , count]) => count !== '0')
    .map(([, thread = '', count]) => ({
      name: count === '1' ? thread : `${thread} × ${count}`,
      heap: value(`parapet_thread_heap_committed_bytes\\{thread="${thread}"\\}`) / 1e6,
      external: value(`parapet_thread_external_bytes\\{thread="${thread}"\\}`) / 1e6,
    }))
  return {
    resident: megabytes('VmRSS'),
    peak: megabytes('VmHWM'),
    files: megabytes('RssFile'),
    parts: [main, ...others],
  }
}

/** Follows what a process takes, in whole MB, until the function that it returns is called. */
export function residentCurve(pid: number, everySeconds: number): () => Promise<readonly number[]> {
  const stop = new AbortController()
  const curve = (async () => {
    const points: number[] = []
    while (!stop.signal.aborted) {
      points.push(Math.round((await statusOf(pid))('VmRSS')))
      await sleep(everySeconds * 1000, undefined, stop).catch(() => undefined)
    }
    return points
  })()
  return () => {
    stop.abort()
    return curve
  }
}

/** Reads fields that are sizes, in MB. */
async function statusOf(pid: number): Promise<(field: string) => number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (field) => (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024) / 1e6
}
