import { parentPort } from 'node:worker_threads'
import { messageOf, Refusal, type RefusalCode } from '../errors.ts'
import { AskedThread, Patience, SMALL_BYTES } from './asked-thread.ts'
import { FairGate } from './fair-gate.ts'

/** Of the heap of a thread. */
const MAX_HEAP_MEGABYTES = 384

/** What takes seconds on a good machine has minutes on a slow one. */
const ANSWER_MS = 120_000
/** Of the whole, beside what each megabyte of the file adds. */
const WHOLE_MS = 240_000
const MEGABYTE_MS = 2000

type Reply<T> =
  | { readonly kind: 'part'; readonly part: T }
  | { readonly kind: 'end' }
  | { readonly kind: 'refusal'; readonly code: RefusalCode; readonly detail: string }
  | { readonly kind: 'failure'; readonly stack: string }

/** Each thread may need some hundred megabytes. */
const gate = new FairGate({ atOnce: 2, waiting: 40, waitingEach: 5 })

type Request = { readonly kind: 'open'; readonly task: unknown } | { readonly kind: 'next' }

/** What a thread is to do. */
export interface ReadingTask {
  /** Calls `serveParts`. */
  readonly module: URL
  readonly task: unknown
  /** Size of the file. */
  readonly bytes: number
  /** Whose file it is: nobody's files hold up those of others. */
  readonly account: number
}

/**
 * What a module hands over with `serveParts`, part by part, from a thread of its own: neither the work
 * nor a file that is made to do harm holds up anybody else. Refuses what the module refuses,
 * `too_large` where it needs too much memory, `reading_too_long` where it needs too much time, and
 * `overloaded` where too many wait.
 */
export async function* readOnThread<T>(reading: ReadingTask): AsyncGenerator<T, void> {
  await gate.enter(reading.account)
  try {
    yield* readInside<T>(reading)
  } finally {
    gate.leave(reading.account)
  }
}

async function* readInside<T>(reading: ReadingTask): AsyncGenerator<T, void> {
  const wholeMs = WHOLE_MS + (reading.bytes / 1_000_000) * MEGABYTE_MS
  const patience = new Patience({ answerMs: ANSWER_MS, wholeMs })
  const thread = takeThread(reading.module)
  const ask = (request: Request): Promise<Reply<T>> => thread.ask(request, patience)
  try {
    await ask({ kind: 'open', task: reading.task })
    for (;;) {
      const reply = await ask({ kind: 'next' })
      if (reply.kind === 'end') return
      if (reply.kind === 'refusal') throw new Refusal(reply.code, reply.detail)
      if (reply.kind === 'failure') throw new Error(reply.stack)
      yield reply.part
    }
  } finally {
    await giveBack(thread, reading)
  }
}

/** Threads that nobody uses, by their modules. */
const idle = new Map<string, AskedThread>()

function takeThread({ href }: URL): AskedThread {
  const kept = idle.get(href)
  idle.delete(href)
  const thread =
    kept?.alive === true
      ? kept
      : new AskedThread(new URL(href), { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES })
  thread.hold()
  return thread
}

async function giveBack(
  thread: AskedThread,
  { module: { href }, bytes }: ReadingTask,
): Promise<void> {
  if (!thread.alive || bytes > SMALL_BYTES || idle.has(href)) {
    await thread.close()
    return
  }
  idle.set(href, thread)
  thread.retire(() => {
    if (idle.get(href) === thread) idle.delete(href)
  })
}

/** Answers each request of `readOnThread` with the next part. For the module on the thread. */
export function serveParts<T>(read: (task: unknown) => AsyncGenerator<T, void>): void {
  const port = parentPort
  if (port === null) throw new Error('This module runs on a thread of its own')
  let parts: AsyncGenerator<T, void> | null = null
  const answer = async (request: Request): Promise<Reply<T>> => {
    if (request.kind === 'next') return nextOf(parts)
    // Whoever asked before may have stopped early.
    await parts?.return()
    parts = read(request.task)
    return { kind: 'end' }
  }
  port.on('message', (request: Request) => {
    void answer(request).then((reply) => {
      port.postMessage(reply)
    })
  })
}

async function nextOf<T>(parts: AsyncGenerator<T, void> | null): Promise<Reply<T>> {
  try {
    if (parts === null) throw new Error('Nothing has been opened')
    const { done, value } = await parts.next()
    return done === true ? { kind: 'end' } : { kind: 'part', part: value }
  } catch (error) {
    if (error instanceof Refusal)
      return { kind: 'refusal', code: error.code, detail: error.message }
    const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
    return { kind: 'failure', stack }
  }
}
