import { Refusal } from '../platform/errors.ts'

/** Does work on a file, and adds the name of the file to refusals. */
export async function withFileName<T>(file: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const named = new Refusal(error.code, `${file}: ${error.message}`)
    named.cause = error.cause
    throw named
  }
}
