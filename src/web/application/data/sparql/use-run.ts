import { computed, onScopeDispose, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue'
import { problemOf, type Problem } from '../../client/problem.ts'
import { askSparql, type Question } from './ask.ts'
import { readAnswer, type QueryAnswer } from './result/results.ts'

/** Rows are JSON and graphs are Turtle, depending on the form of the query. */
const ACCEPT = 'application/sparql-results+json, text/turtle;q=0.9'

export interface AnsweredQuery {
  readonly question: Question
  readonly answer: QueryAnswer
  /** In milliseconds. */
  readonly duration: number
}

/** A place in a query; both are counted from 1. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

interface QueryRun {
  readonly isRunning: Ref<boolean>
  /** Seconds since the query was sent. */
  readonly seconds: Ref<number>
  readonly answered: ShallowRef<AnsweredQuery | null>
  readonly problem: ShallowRef<Problem | null>
  readonly wasStopped: Ref<boolean>
  /** The place that the problem names. */
  readonly fault: ComputedRef<TextPosition | null>
  run(question: Question): Promise<void>
  stop(): void
}

/** Runs one query at a time: a new one stops the previous one. */
export function useRun(): QueryRun {
  const isRunning = ref(false)
  const seconds = ref(0)
  const wasStopped = ref(false)
  const answered = shallowRef<AnsweredQuery | null>(null)
  const problem = shallowRef<Problem | null>(null)
  let current: AbortController | null = null
  const clock = setInterval(() => {
    if (isRunning.value) seconds.value += 1
  }, 1000)

  async function run(question: Question): Promise<void> {
    current?.abort()
    const controller = new AbortController()
    current = controller
    isRunning.value = true
    seconds.value = 0
    wasStopped.value = false
    problem.value = null
    try {
      const answeredQuery = await sendQuery(question, controller.signal)
      if (current === controller) answered.value = answeredQuery
    } catch (error) {
      if (current === controller) fail(error, controller.signal)
    } finally {
      if (current === controller) isRunning.value = false
    }
  }

  function fail(error: unknown, signal: AbortSignal): void {
    answered.value = null
    if (signal.aborted) wasStopped.value = true
    else problem.value = problemOf(error)
  }

  function stop(): void {
    current?.abort()
  }

  onScopeDispose(() => {
    stop()
    clearInterval(clock)
  })
  const fault = computed(() => {
    const { line, column } = problem.value?.details ?? {}
    return typeof line === 'number' && typeof column === 'number' ? { line, column } : null
  })
  return { isRunning, seconds, answered, problem, wasStopped, fault, run, stop }
}

async function sendQuery(question: Question, signal: AbortSignal): Promise<AnsweredQuery> {
  const begin = performance.now()
  const answer = await askSparql(question, ACCEPT, signal)
  const text = await answer.text()
  const duration = performance.now() - begin
  return { question, answer: readAnswer(answer.headers.get('Content-Type') ?? '', text), duration }
}
