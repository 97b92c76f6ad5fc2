import type { IncomingMessage } from 'node:http'
import { isIP, SocketAddress } from 'node:net'

/**
 * Normalises the addresses in `X-Forwarded-For`, so that each has one form for limits and allow lists. Proxies also write
 * ports (`192.0.2.1:4711`, `[2001:db8::1]:4711`), `unknown`, or whatever the client sent. Entries before one that is not
 * an address cannot be trusted and are removed.
 */
export function tidyForwarded({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const text = headers['x-forwarded-for']
  if (typeof text !== 'string') return
  const hops = text.split(',').map((hop) => addressOf(hop.trim()))
  const knownHops = hops.slice(hops.lastIndexOf(null) + 1)
  if (knownHops.length === 0) delete headers['x-forwarded-for']
  else headers['x-forwarded-for'] = knownHops.join(', ')
}

function addressOf(hop: string): string | null {
  const text = hop.replace(/^"(.*)"$/, '$1')
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1')
  const address = bare.replace(/%.*$/s, '')
  if (isIP(address) === 0) return null
  if (isIP(address) === 4) return address
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  return canonical.replace(/^::ffff:(?=[\d.]+$)/, '')
}
