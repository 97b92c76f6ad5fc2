import { Refusal } from '../platform/errors.ts'

/** Does work on a file, and adds the name of the file to refusals. */
export async function withFileName<T>(file: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const refusalWithFile = new Refusal(error.code, `${file}: ${error.message}`)
    refusalWithFile.cause = error.cause
    throw refusalWithFile
  }
}
