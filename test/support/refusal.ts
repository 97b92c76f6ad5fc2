import { Refusal } from '../../src/platform/errors.ts'

/** The refusal that a task ends with. Anything else that it throws goes on, and so does success. */
export async function refusalOf(task: () => unknown): Promise<Refusal> {
  try {
    await task()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('Nothing was refused')
}
