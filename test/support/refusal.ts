import { Refusal } from '../../src/platform/errors.ts'

/** The refusal of a task. Fails if the task succeeds or throws another error. */
export async function refusalOf(task: () => unknown): Promise<Refusal> {
  try {
    await task()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('Nothing was refused')
}
