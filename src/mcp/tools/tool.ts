import { z } from 'zod'
import type { ApiAnswer, AskApi } from '../ask.ts'

/** A tool, as data: its name, its arguments and the requests that answer it. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  /** Asks the API. The arguments have been checked. */
  readonly answer: (ask: AskApi, given: unknown) => Promise<ToolAnswer>
}

/** Answers of the API, the main one first; the others belong to it under their names. */
export interface ToolAnswer {
  readonly main: ApiAnswer
  readonly others?: Readonly<Record<string, ApiAnswer>>
}

interface Definition<I extends z.ZodObject> extends Omit<Tool, 'input' | 'answer'> {
  readonly input: I
  readonly answer: (ask: AskApi, given: z.output<I>) => Promise<ToolAnswer>
}

/** Describes a tool whose function gets its arguments with their types. */
export function tool<I extends z.ZodObject>({ input, answer, ...rest }: Definition<I>): Tool {
  return { ...rest, input, answer: (ask, given) => answer(ask, input.parse(given)) }
}

export const text = z.string().max(2000)

export const names = z.array(z.string().max(500)).max(100).optional()
