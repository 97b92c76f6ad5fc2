import { describe, expect, it } from 'vitest'
import { isInRanges } from '../../../../src/guidance/identity/tokens/authenticate.ts'
import { isAddressRange } from '../../../../src/platform/settings/address-range.ts'

describe('An entry of an allow-list', () => {
  it.each([
    '192.0.2.1',
    '192.0.2.0/24',
    '192.0.2.77/24',
    '0.0.0.0/0',
    '192.0.2.1/32',
    '2001:db8::1',
    '2001:DB8:0:0:0:0:0:1',
    '2001:db8::/32',
    '::/0',
    '::1/128',
    '::ffff:192.0.2.1',
    '::ffff:192.0.2.0/120',
  ])('accepts %s', (text) => {
    expect(isAddressRange(text)).toBe(true)
  })

  it.each([
    '',
    '/',
    '/24',
    'foo',
    'localhost',
    'example.org',
    '*',
    '192.0.2.*',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.1.5',
    '010.0.0.1',
    '0x7f.0.0.1',
    '3221225985',
    '１９２.0.2.1',
    '192.0.2.1/',
    '192.0.2.1/33',
    '192.0.2.1/-1',
    '192.0.2.1/+8',
    '192.0.2.1/8.0',
    '192.0.2.1/08',
    '192.0.2.1/ 8',
    '192.0.2.1/1e1',
    '192.0.2.1/255.255.255.0',
    '192.0.2.1/24/8',
    '192.0.2.1-192.0.2.9',
    '192.0.2.1,192.0.2.2',
    '192.0.2.1:443',
    '[2001:db8::1]',
    '2001:db8::/129',
    '2001:db8:::1',
    'fe80::1%eth0',
    'fe80::1%eth0/64',
    '192.0.2.1\n',
    '192.0.2.1\0',
  ])('rejects %j', (text) => {
    expect(isAddressRange(text)).toBe(false)
  })
})

describe('An address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.255', '192.0.2.0/24'],
    ['192.0.2.9', '192.0.2.77/24'],
    ['192.0.2.3', '192.0.2.2/31'],
    ['192.0.2.2', '192.0.2.2/32'],
    ['10.127.255.255', '10.0.0.0/9'],
    ['255.255.255.255', '0.0.0.0/0'],
    ['0.0.0.0', '0.0.0.0/0'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.0/24'],
    ['::ffff:192.0.2.1', '0.0.0.0/0'],
    ['192.0.2.1', '::ffff:192.0.2.1'],
    ['192.0.2.1', '::ffff:192.0.2.0/120'],
    ['2001:db8:0:0::1', '2001:DB8::1'],
    ['2001:db8:7fff::1', '2001:db8::/33'],
    ['2001:db8::1', '::/0'],
    ['::1', '::1/128'],
    ['fe80::1%eth0', 'fe80::/10'],
  ])('%s is in %s', (address, range) => {
    expect(isInRanges(address, [range])).toBe(true)
    expect(isInRanges(address, ['198.51.100.7', range])).toBe(true)
  })

  it.each([
    ['192.0.2.2', '192.0.2.1'],
    ['192.0.3.0', '192.0.2.0/24'],
    ['192.0.2.4', '192.0.2.2/31'],
    ['10.128.0.0', '10.0.0.0/9'],
    ['::ffff:192.0.3.1', '192.0.2.0/24'],
    ['192.0.3.1', '::ffff:192.0.2.0/120'],
    // The deprecated IPv4-compatible form is no IPv4 address (RFC 4291 §2.5.5.1).
    ['::192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '0.0.0.0/0'],
    ['::1', '127.0.0.1'],
    ['2001:db8:8000::1', '2001:db8::/33'],
    ['2001:db8::2', '2001:db8::1/128'],
    ['', '0.0.0.0/0'],
    ['unknown', '::/0'],
    ['192.0.2.1:4711', '0.0.0.0/0'],
  ])('%j is not in %s', (address, range) => {
    expect(isInRanges(address, [range])).toBe(false)
  })

  it('is not in an empty list', () => {
    expect(isInRanges('192.0.2.1', [])).toBe(false)
  })

  it('is distinguished from its neighbours at every prefix length', () => {
    const number = 0xc00002aa
    for (let length = 1; length <= 32; length += 1) {
      const neighbour = (number ^ (2 ** (32 - length))) >>> 0
      const range = `${dotted(number)}/${length}`
      expect(isInRanges(dotted(number), [range]), range).toBe(true)
      expect(isInRanges(`::ffff:${dotted(number)}`, [range]), range).toBe(true)
      expect(isInRanges(dotted(neighbour), [range]), range).toBe(false)
      expect(isInRanges(`::ffff:${dotted(neighbour)}`, [range]), range).toBe(false)
    }
  })
})

function dotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
}
