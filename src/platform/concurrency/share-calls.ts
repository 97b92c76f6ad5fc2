interface PendingQuestion<Question, Answer> {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Combines the questions that come within some milliseconds into one call. The call begins after the last question, so
 * that no answer is older than its question.
 */
export function shareCalls<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  withinMs: number,
): (question: Question) => Promise<Answer> {
  let waiting: PendingQuestion<Question, Answer>[] = []
  const askBatch = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    try {
      const answers = await ask(batch.map(({ question }) => question))
      if (answers.length !== batch.length) throw new Error('Not every question has an answer')
      for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(() => void askBatch(), withinMs)
      waiting.push({ question, resolve, reject })
    })
}
