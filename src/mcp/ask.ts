/** A request to the API of the service, with a path below its address. */
export interface ApiRequest {
  readonly path: string
  /** Lists are joined by commas; parameters without a value, and empty lists, are left out. */
  readonly query?: Readonly<Record<string, string | number | readonly (string | number)[] | undefined>>
  /** Sent as JSON, by POST. */
  readonly body?: unknown
  readonly accept?: string
}

export interface ApiAnswer {
  readonly status: number
  /** Address of the request. */
  readonly address: string
  /** Parsed JSON, or the text of another type. */
  readonly value: unknown
}

/** Sends requests to the API as one caller. Resolves with any status, and rejects only without an answer. */
export type AskApi = (request: ApiRequest) => Promise<ApiAnswer>

export interface SentRequest {
  readonly method: 'GET' | 'POST'
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

interface ReceivedAnswer {
  readonly status: number
  readonly mediaType: string
  readonly text: string
}

/** The API behind any way to send a request. */
export function apiOver(baseUrl: string, send: (request: SentRequest) => Promise<ReceivedAnswer>): AskApi {
  return async ({ path, query, body, accept = 'application/json' }) => {
    const target = path + parametersOf(query)
    const received = await send({
      method: body === undefined ? 'GET' : 'POST',
      path: target,
      headers: { Accept: accept, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const isJson = /[/+]json\b/.test(received.mediaType)
    const value: unknown = isJson ? JSON.parse(received.text) : received.text
    return { status: received.status, address: `${baseUrl}${target}`, value }
  }
}

function parametersOf(query: ApiRequest['query'] = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const values = [value ?? []].flat()
    if (values.length > 0) parameters.set(name, values.join(','))
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}
