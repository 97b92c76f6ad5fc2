import type { Figure, Reading } from '../figures.ts'
import type { ThreadMemory } from './protocol.ts'

/** What one kind of thread has done in this process. */
export class ThreadTally {
  started = 0
  answered = 0
  /** From when a thread got a question until its answer came. */
  answeringMs = 0
  readonly givenUp = { heap: 0, time: 0, failure: 0 }
  readonly living = new Set<Living>()
}

interface Living {
  /** Questions that wait or are worked at. */
  readonly pending: number
  readonly memory: ThreadMemory
}

/** By the name of the module. */
const tallies = new Map<string, ThreadTally>()

/** The tally of the threads that run a module. */
export function tallyOf(module: URL): ThreadTally {
  const name = /([^/]+?)(?:-worker)?\.\w+$/.exec(module.pathname)?.[1] ?? 'unknown'
  const tally = tallies.get(name) ?? new ThreadTally()
  tallies.set(name, tally)
  return tally
}

/** Of all threads that are asked; `thread` says what for. */
export const threadFigures: readonly Figure[] = [
  gauge('threads', 'Threads that are there.', ({ living }) => living.size),
  gauge('thread_pending', 'Questions to threads without an answer yet.', ({ living }) =>
    sumOf(living, ({ pending }) => pending),
  ),
  gauge('thread_heap_bytes', 'Heap of JavaScript of threads, as they told last.', ({ living }) =>
    sumOf(living, ({ memory }) => memory.heap),
  ),
  gauge(
    'thread_heap_committed_bytes',
    'What V8 has taken for the heaps of threads, as they told last.',
    ({ living }) => sumOf(living, ({ memory }) => memory.committed),
  ),
  gauge(
    'thread_external_bytes',
    'WebAssembly and bytes of threads, as they told last.',
    ({ living }) => sumOf(living, ({ memory }) => memory.external),
  ),
  counter('threads_started_total', 'Threads that were begun.', ({ started }) => started),
  counter(
    'thread_answers_total',
    'Questions that threads have settled.',
    ({ answered }) => answered,
  ),
  counter(
    'thread_answer_seconds_total',
    'Time that threads took for what they have settled.',
    ({ answeringMs }) => answeringMs / 1000,
  ),
  {
    name: 'threads_given_up_total',
    help: 'Threads that were ended for their memory or time, or that failed.',
    ...{ kind: 'counter', labels: ['thread', 'reason'] },
    read: () =>
      [...tallies].flatMap(([thread, { givenUp }]) =>
        Object.entries(givenUp).map(([reason, value]) => ({ value, labels: { thread, reason } })),
      ),
  },
]

function sumOf(living: ReadonlySet<Living>, read: (one: Living) => number): number {
  return Array.from(living, read).reduce((sum, one) => sum + one, 0)
}

type Read = (tally: ThreadTally) => number

function gauge(name: string, help: string, read: Read): Figure {
  return { name, help, kind: 'gauge', labels: ['thread'], read: () => ofEach(read) }
}

function counter(name: string, help: string, read: Read): Figure {
  return { name, help, kind: 'counter', labels: ['thread'], read: () => ofEach(read) }
}

function ofEach(read: Read): readonly Reading[] {
  return Array.from(tallies, ([thread, tally]) => ({ value: read(tally), labels: { thread } }))
}
