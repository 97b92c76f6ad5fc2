/** Parts of a request; `json` becomes the body. */
export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: Buffer
}

/** The request in the form of `node:http`, with the length of the body and the media type of JSON. */
export function asSent({ method = 'GET', headers, json, body }: Sent): {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer | undefined
} {
  const bytes = json === undefined ? body : Buffer.from(JSON.stringify(json))
  return {
    method,
    headers: {
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...(bytes !== undefined && { 'Content-Length': String(bytes.length) }),
      ...headers,
    },
    bytes,
  }
}
