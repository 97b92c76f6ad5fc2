import { useQueryClient, type QueryKey } from '@tanstack/vue-query'
import { tell, tellToast } from '../account/forms/told.ts'
import { problemOf } from './problem.ts'

type Told = Parameters<typeof tellToast>[0]

/** What a refusal says, and what it says of single fields. */
export function sentencesOf(error: unknown): string {
  const { message, details } = problemOf(error)
  const others = (details.errors ?? []).map((one) => one.message)
  return [message, ...others.filter((one) => !message.includes(one))].join(' ')
}

/**
 * For what a button does at once: asks the API, forgets the answers that it changes (by the beginnings of their keys),
 * and says what became of it. False if it was refused.
 */
export function useAct(
  changes: () => readonly QueryKey[],
): (asked: Promise<Told>) => Promise<boolean> {
  const queries = useQueryClient()
  const forget = () =>
    Promise.all(changes().map((queryKey) => queries.invalidateQueries({ queryKey })))
  return async (asked) => {
    try {
      const done = await asked
      await forget()
      await tellToast(done)
      return true
    } catch (error) {
      await forget()
      await tell(sentencesOf(error))
      return false
    }
  }
}
