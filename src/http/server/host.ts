import type { IncomingMessage } from 'node:http'

/** Characters of a host and port (RFC 3986 §3.2.2). */
const HOST = /^[\w.~%!$&'()*+,;=:[\]-]*$/

/** Whether a request names exactly one valid host; others must be refused (RFC 9112 §3.2). */
export function hasOneHost(request: IncomingMessage): boolean {
  const { rawHeaders, headers, httpVersion } = request
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') times += 1
  }
  if (times === 0) return httpVersion === '1.0'
  return times === 1 && HOST.test(headers.host ?? '')
}

/** Removes the host from a request target; clients that treat the service as a proxy send it (RFC 9112 §3.2.2). */
export function withoutHost(target: string): string {
  if (target.startsWith('/')) return target
  const below = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1]
  if (below === undefined) return target
  return below.startsWith('/') ? below : `/${below}`
}
