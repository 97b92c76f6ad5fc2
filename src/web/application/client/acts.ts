import { useQueryClient, type QueryKey } from '@tanstack/vue-query'
import { showStatus, showToast } from '../account/forms/status-message.ts'
import type { ToastAnswer } from '../account/forms/toast-answer.ts'
import { beginningOf, endSentence } from '../parts/words/counted-noun.ts'
import { problemOf } from './problem.ts'

/** Largest number of messages that are announced. */
const MAX_MESSAGES = 4

/** The message of a refusal, and its messages about single fields. */
export function sentencesOf(error: unknown): string {
  const { message, details } = problemOf(error)
  const others = (details.errors ?? []).map((fieldError) => fieldError.message)
  const unsaid = others.filter((fieldMessage) => !message.includes(fieldMessage))
  const sentences = [...message.split('\n'), ...unsaid].filter((sentence) => sentence.trim() !== '')
  return sentences.length === 1 ? message : beginningOf(sentences.map(endSentence), MAX_MESSAGES)
}

/** Refreshes the answers that a change concerns, by the beginnings of their keys, and announces its confirmation. */
export function useAnnouncement(changes: () => readonly QueryKey[]): (answer: ToastAnswer) => Promise<void> {
  const queries = useQueryClient()
  return async (answer) => {
    await Promise.all(changes().map((queryKey) => queries.invalidateQueries({ queryKey })))
    await showToast(answer)
  }
}

/**
 * Performs the action of a button: sends the request, refreshes the answers that it changes (by the beginnings of their
 * keys), and announces the result. Returns false if it was refused.
 */
export function useAct(changes: () => readonly QueryKey[]): (request: Promise<ToastAnswer>) => Promise<boolean> {
  const queries = useQueryClient()
  const forget = () => Promise.all(changes().map((queryKey) => queries.invalidateQueries({ queryKey })))
  return async (request) => {
    try {
      const answer = await request
      await forget()
      await showToast(answer)
      return true
    } catch (error) {
      // Does not wait for the refresh, which may take as long as the service is unavailable.
      void forget()
      await showStatus(sentencesOf(error))
      return false
    }
  }
}
