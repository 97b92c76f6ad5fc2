import { expect, it } from 'vitest'
import { addressesIn } from '../../src/sync/list.ts'

it('A list has at most 5000 addresses', () => {
  const names = Array.from({ length: 5001 }, (_none, index) => `${index}.zip`)
  expect(addressesIn(JSON.stringify(names), 'https://example.org/list')).toHaveLength(5000)
})
