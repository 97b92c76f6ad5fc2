import { lookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** What is not the internet: this machine, this network, and what is reserved (RFC 6890). */
const INSIDE_V4 = new BlockList()
for (const [network, prefix] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
  ] as const),
])
  INSIDE_V4.addSubnet(network, prefix, 'ipv4')

/** Addresses of the internet are here (RFC 4291 §2.4), but for those that stand for IPv4 ones. */
const GLOBAL_V6 = new BlockList()
GLOBAL_V6.addSubnet('2000::', 3, 'ipv6')
const INSIDE_V6 = new BlockList()
INSIDE_V6.addSubnet('2001::', 32, 'ipv6')
INSIDE_V6.addSubnet('2001:db8::', 32, 'ipv6')
INSIDE_V6.addSubnet('2002::', 16, 'ipv6')

/** Whether an IP address belongs to a machine on the internet. */
export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !INSIDE_V4.check(address, 'ipv4')
  return family === 6 && GLOBAL_V6.check(address, 'ipv6') && !INSIDE_V6.check(address, 'ipv6')
}

/** The host of an address is an IP address that is not public. Names are looked at when connecting. */
export function isInside({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) !== 0 && !isPublic(host)
}

/** The address is not one to which this service sends. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'

  constructor() {
    super('The host has an address that is not public')
  }
}

/**
 * Looks a name up for a connection, and refuses it when any of its addresses is not public. What has
 * been checked is what is connected to: an answer that changes in between is of no use.
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
