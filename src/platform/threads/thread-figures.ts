import type { Figure, FigureValue } from '../figures.ts'
import { getOrMake } from '../get-or-make.ts'
import type { ThreadMemory } from './protocol.ts'

/** Counts of one kind of thread in this process. */
export class ThreadTally {
  started = 0
  answered = 0
  /** Time from a request to a thread until its answer. */
  answeringMs = 0
  readonly ended = { heap: 0, time: 0, failure: 0 }
  readonly living = new Set<LiveThread>()
}

interface LiveThread {
  /** Number of questions without an answer yet. */
  readonly pending: number
  readonly memory: ThreadMemory
}

/** By the name of the module. */
const tallies = new Map<string, ThreadTally>()

/** The tally of the threads that run a module. */
export function tallyOf(module: URL): ThreadTally {
  const name = /([^/]+?)(?:-worker)?\.\w+$/.exec(module.pathname)?.[1] ?? 'unknown'
  return getOrMake(tallies, name, () => new ThreadTally())
}

/** Metrics of all supervised threads; `thread` is their kind. */
export const threadFigures: readonly Figure[] = [
  gauge('threads', 'Running threads.', ({ living }) => living.size),
  gauge('thread_pending', 'Requests to threads without an answer yet.', ({ living }) =>
    sumOf(living, ({ pending }) => pending),
  ),
  gauge('thread_heap_bytes', 'JavaScript heap of threads, as last reported.', ({ living }) =>
    sumOf(living, ({ memory }) => memory.heap),
  ),
  gauge(
    'thread_heap_committed_bytes',
    'Memory that V8 has reserved for the heaps of threads, as last reported.',
    ({ living }) => sumOf(living, ({ memory }) => memory.committed),
  ),
  gauge('thread_external_bytes', 'WebAssembly memory and buffers of threads, as last reported.', ({ living }) =>
    sumOf(living, ({ memory }) => memory.external),
  ),
  counter('threads_started_total', 'Threads that were started.', ({ started }) => started),
  counter('thread_answers_total', 'Requests that threads have answered.', ({ answered }) => answered),
  counter(
    'thread_answer_seconds_total',
    'Time that threads needed for their answers.',
    ({ answeringMs }) => answeringMs / 1000,
  ),
  {
    name: 'threads_given_up_total',
    help: 'Threads that were ended for their memory or time, or that failed.',
    kind: 'counter',
    labels: ['thread', 'reason'],
    read: () =>
      [...tallies].flatMap(([thread, { ended }]) =>
        Object.entries(ended).map(([reason, value]) => ({ value, labels: { thread, reason } })),
      ),
  },
]

function sumOf(living: ReadonlySet<LiveThread>, read: (thread: LiveThread) => number): number {
  return Array.from(living, read).reduce((sum, figure) => sum + figure, 0)
}

type ReadTally = (tally: ThreadTally) => number

function gauge(name: string, help: string, read: ReadTally): Figure {
  return { name, help, kind: 'gauge', labels: ['thread'], read: () => readEach(read) }
}

function counter(name: string, help: string, read: ReadTally): Figure {
  return { name, help, kind: 'counter', labels: ['thread'], read: () => readEach(read) }
}

function readEach(read: ReadTally): readonly FigureValue[] {
  return Array.from(tallies, ([thread, tally]) => ({ value: read(tally), labels: { thread } }))
}
