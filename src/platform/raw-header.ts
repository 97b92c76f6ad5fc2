import type { IncomingMessage } from 'node:http'

/**
 * One request header by its lower-case name; the first of several. Reading `request.headers` makes
 * node put all of them into an object first, which the hot path has no use for.
 */
export function rawHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const candidate = rawHeaders[i]
    if (candidate?.length === name.length && candidate.toLowerCase() === name) {
      return rawHeaders[i + 1]
    }
  }
  return undefined
}
