/** An answer of the API, as text. */
export interface PreparedAnswer {
  readonly address: string
  readonly status: number
  readonly body: string
}

/** Answers the requests of a page from a list, and records the missing ones. */
export class PreparedAnswers {
  readonly #answers: ReadonlyMap<string, PreparedAnswer>
  readonly missing = new Set<string>()
  /** Number of answered requests. */
  answered = 0

  constructor(answers: readonly PreparedAnswer[]) {
    this.#answers = new Map(answers.map((answer) => [answer.address, answer]))
  }

  /** Replaces `fetch`. */
  async fetch({ method, url }: Request): Promise<Response> {
    const { pathname, search } = new URL(url)
    const address = pathname + search
    const answer = method === 'GET' ? this.#answers.get(address) : undefined
    if (answer === undefined) {
      if (method === 'GET') this.missing.add(address)
      throw new Error(`${method} ${address} is not answered here`)
    }
    this.answered += 1
    const { status, body } = answer
    return Promise.resolve(new Response(body, { status, headers: { 'Content-Type': 'application/json' } }))
  }
}
