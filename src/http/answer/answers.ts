import { z } from 'zod'

/** The answer of an endpoint that redirects the browser (303). */
export const REDIRECTION = z.object({ location: z.string() })

/** The answer of an endpoint that is not JSON: a file, or a text for another program. */
export const DOCUMENT = z.object({
  mediaType: z.string(),
  /** The name under which a browser saves the file; null shows it instead. */
  fileName: z.string().nullable(),
  /** Pieces are made while they are sent; an error then ends the connection. */
  body: z.custom<string | Uint8Array | AsyncIterable<string | Uint8Array>>(),
})

export type Document = z.infer<typeof DOCUMENT>

/** One server-sent event (WHATWG HTML, §9.2); the data is sent as JSON. */
export interface ServerEvent {
  readonly event: string
  readonly data: unknown
  /** A client that reconnects sends this as `Last-Event-ID`. */
  readonly id?: number
}

/** A message without an event: it keeps the connection open and advances the client's `Last-Event-ID`. */
export interface Heartbeat {
  readonly heartbeat: number
}

/** The answer of an endpoint that sends events until there are no more. */
export const EVENTS = z.object({
  events: z.custom<AsyncIterable<ServerEvent | Heartbeat>>().optional(),
  /** Called when the client has disconnected. */
  cancel: z.custom<() => void>().optional(),
  /** The events so far as JSON, for clients that poll. */
  page: z.custom<Readonly<Record<string, unknown>>>().optional(),
})

export type Events = z.infer<typeof EVENTS>
