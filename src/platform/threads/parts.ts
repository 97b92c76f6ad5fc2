import { z } from 'zod'
import { EMPTY_PAYLOAD, type Protocol, type Handlers } from './protocol.ts'

/** A file is sent part by part, each on request; null is the end. */
export interface PartExchanges<Task, Part> {
  readonly open: { readonly question: Task; readonly answer: Part | null }
  readonly next: { readonly question: null; readonly answer: Part | null }
}

export function partsProtocol<Task, Part>(
  task: z.ZodType<Task>,
  part: z.ZodType<Part>,
): Protocol<PartExchanges<Task, Part>> {
  const answer = z.nullable(part)
  return { open: { question: task, answer }, next: { question: EMPTY_PAYLOAD, answer } }
}

/** For the module on the thread. */
export function partsHandlers<Task, Part>(
  read: (task: Task) => AsyncGenerator<Part, void>,
): Handlers<PartExchanges<Task, Part>> {
  let parts: AsyncGenerator<Part, void> | null = null
  const next = async (): Promise<Part | null> => {
    const result = await parts?.next()
    return result === undefined || result.done === true ? null : result.value
  }
  const open = async (task: Task): Promise<Part | null> => {
    // An earlier reader may have stopped before the end.
    await parts?.return()
    parts = read(task)
    return next()
  }
  return { open, next }
}
