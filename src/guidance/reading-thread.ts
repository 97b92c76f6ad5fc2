import { parentPort } from 'node:worker_threads'
import { messageOf, Refusal, type RefusalCode } from '../platform/errors.ts'
import { AskedThread, SMALL_BYTES } from './asked-thread.ts'

/** Threads at work at the same time; each may need some hundred megabytes. */
const AT_ONCE = 2
/** Files that wait beyond those. */
const MAX_WAITING = 20
/** Of the heap of a thread. */
const MAX_HEAP_MEGABYTES = 384

type Reply<T> =
  | { readonly kind: 'part'; readonly part: T }
  | { readonly kind: 'end' }
  | { readonly kind: 'refusal'; readonly code: RefusalCode; readonly detail: string }
  | { readonly kind: 'failure'; readonly stack: string }

/** Lets a few at a time in, in their order. */
class Gate {
  readonly #waiting: (() => void)[] = []
  #inside = 0

  async enter(): Promise<void> {
    if (this.#inside < AT_ONCE) {
      this.#inside += 1
      return
    }
    if (this.#waiting.length >= MAX_WAITING)
      throw new Refusal('overloaded', 'Too many files wait to be read. Try again later.')
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Whoever waits longest takes the place. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#inside -= 1
    else next()
  }
}

const gate = new Gate()

type Request = { readonly kind: 'open'; readonly task: unknown } | { readonly kind: 'next' }

/** What a thread is to do. */
export interface ReadingTask {
  /** Calls `serveParts`. */
  readonly module: URL
  readonly task: unknown
  /** Size of the file. */
  readonly bytes: number
}

/**
 * What a module hands over with `serveParts`, part by part, from a thread of its own: neither the work
 * nor a file that is made to do harm holds up anybody else. Refuses what the module refuses,
 * `too_large` where it needs too much memory, and `overloaded` where too many wait.
 */
export async function* readOnThread<T>(reading: ReadingTask): AsyncGenerator<T, void> {
  await gate.enter()
  const thread = takeThread(reading.module)
  try {
    await ask<T>(thread, { kind: 'open', task: reading.task })
    for (;;) {
      const reply = await ask<T>(thread, { kind: 'next' })
      if (reply.kind === 'end') return
      if (reply.kind === 'refusal') throw new Refusal(reply.code, reply.detail)
      if (reply.kind === 'failure') throw new Error(reply.stack)
      yield reply.part
    }
  } finally {
    await giveBack(thread, reading)
    gate.leave()
  }
}

function ask<T>(thread: AskedThread, request: Request): Promise<Reply<T>> {
  return thread.ask(request)
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
