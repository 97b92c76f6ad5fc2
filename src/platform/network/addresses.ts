import { lookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * Addresses that are not on the public internet: all of IANA's IPv4 Special-Purpose Address Registry (RFC 6890)
 * that is not globally reachable, as of 2025-10, and multicast.
 */
const INSIDE_V4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
])

/**
 * All public IPv6 addresses are in here (RFC 4291 §2.4). Not in here: addresses that embed an IPv4 address for
 * translation, unique local, link-local and multicast ones, and segment identifiers (5f00::/16).
 */
const GLOBAL_V6 = blockList('ipv6', [['2000::', 3]])

/** Reserved ranges among these (IANA IPv6 Special-Purpose Address Registry): protocols, examples, 6to4. */
const INSIDE_V6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family)
  return list
}

/** Whether an IP address is on the public internet. */
export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !INSIDE_V4.check(address, 'ipv4')
  return family === 6 && GLOBAL_V6.check(address, 'ipv6') && !INSIDE_V6.check(address, 'ipv6')
}

/** Whether the host is an IP address that is not public. Names are checked when connecting. */
export function isInside({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) !== 0 && !isPublic(host)
}

/** This service does not send to the address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'

  constructor() {
    super('The host has an address that is not public')
  }
}

/**
 * Looks a name up for a connection, and refuses it when any of its addresses is not public. The connection uses the
 * checked addresses, so a DNS answer that changes afterwards has no effect.
 */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: readonly LookupAddress[]) => {
    if (error !== null) {
      callback(error, '')
      return
    }
    const [first] = addresses
    if (first === undefined || !addresses.every(({ address }) => isPublic(address))) {
      callback(new AddressRefused(), '')
    } else if (options.all === true) {
      callback(null, [...addresses])
    } else {
      callback(null, first.address, first.family)
    }
  })
}
