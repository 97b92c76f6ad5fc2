// @module-tag node

import { describe, expect, it } from 'vitest'
import { hasBlockedPort } from '../../../src/platform/network/ports.ts'

/** Ports that Node's `fetch` sends nothing to, some of each kind. */
const OF_OTHER_PROTOCOLS = [1, 22, 25, 110, 143, 389, 465, 587, 636, 995, 2049, 4190, 6000, 6667, 6679, 10_080]

describe('A port', () => {
  it.each(OF_OTHER_PROTOCOLS)('%i is blocked, as by fetch', async (port) => {
    const url = `http://127.0.0.1:${port}/`
    expect(hasBlockedPort(new URL(url))).toBe(true)
    const refused = await fetch(url).catch((error: unknown) => error)
    expect(refused).toMatchObject({ cause: { message: 'bad port' } })
  })

  it.each(['https://x.example:22', 'http://[::1]:22', 'http://x.example:0', 'http://x.example:0022'])(
    'is blocked however it is written: %s',
    (url) => {
      expect(hasBlockedPort(new URL(url))).toBe(true)
    },
  )

  it.each([
    'http://x.example',
    'https://x.example',
    'http://x.example:80',
    'https://x.example:443',
    'https://x.example:80',
    'http://x.example:443',
    'http://x.example:8080',
    'https://x.example/:22',
    'https://x.example:8443',
    'http://x.example:3000',
    'http://x.example:65535',
    'http://22.example',
  ])('of HTTP is not: %s', (url) => {
    expect(hasBlockedPort(new URL(url))).toBe(false)
  })
})
