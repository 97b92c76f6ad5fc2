interface PendingQuestion<Question, Answer> {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Asks together what several ask within so many milliseconds. What is asked begins after the last of the questions, so
 * that no answer is older than its question.
 */
export function together<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  withinMs: number,
): (question: Question) => Promise<Answer> {
  let waiting: PendingQuestion<Question, Answer>[] = []
  const go = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    try {
      const answers = await ask(batch.map(({ question }) => question))
      if (answers.length !== batch.length) throw new Error('Not every question has an answer')
      for (const [at, answer] of answers.entries()) batch[at]?.resolve(answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(() => void go(), withinMs)
      waiting.push({ question, resolve, reject })
    })
}
