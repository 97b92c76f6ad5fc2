import { useQueryClient, type QueryKey } from '@tanstack/vue-query'
import { tell, tellToast } from '../account/forms/told.ts'
import { beginningOf, ended } from '../parts/words/counted.ts'
import { problemOf } from './problem.ts'

type ToastAnswer = Parameters<typeof tellToast>[0]

/** As many as somebody reads, or listens to, before they look for themselves. */
const MOST = 4

/** The message of a refusal, and its messages about single fields. */
export function sentencesOf(error: unknown): string {
  const { message, details } = problemOf(error)
  const others = (details.errors ?? []).map((one) => one.message)
  const unsaid = others.filter((one) => !message.includes(one))
  const all = [...message.split('\n'), ...unsaid].filter((one) => one.trim() !== '')
  return all.length === 1 ? message : beginningOf(all.map(ended), MOST)
}

/**
 * For what a button does at once: asks the API, forgets the answers that it changes (by the beginnings of their keys),
 * and announces the result. False if it was refused.
 */
export function useAct(changes: () => readonly QueryKey[]): (asked: Promise<ToastAnswer>) => Promise<boolean> {
  const queries = useQueryClient()
  const forget = () => Promise.all(changes().map((queryKey) => queries.invalidateQueries({ queryKey })))
  return async (asked) => {
    try {
      const done = await asked
      await forget()
      await tellToast(done)
      return true
    } catch (error) {
      // Loading again may take as long as the service is away.
      void forget()
      await tell(sentencesOf(error))
      return false
    }
  }
}
