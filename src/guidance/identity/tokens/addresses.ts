import { BlockList, isIP } from 'node:net'

/**
 * Whether an address is in one of the ranges. An IPv4 address in IPv6 form (`::ffff:192.0.2.1`, as dual-stack
 * sockets give it) counts as IPv4.
 */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    if (prefix === undefined) list.addAddress(network, familyOf(network))
    else list.addSubnet(network, Number(prefix), familyOf(network))
  }
  return isIP(address) !== 0 && list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
