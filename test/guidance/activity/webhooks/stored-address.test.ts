import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { addHook } from './hooks.ts'

const guidance = guidanceService()
const SOON = { timeout: 8000, interval: 20 }

const owner = signedIn(guidance, 'Owner')

/** Pings an address that was stored when the service still took it, and returns the result. */
async function outcomeOfStored(url: string): Promise<string | null | undefined> {
  const projectId = await guidance().project(owner, { name: 'P' })
  const { id, deliveries } = await addHook(owner, projectId, { url: 'https://hooks.example.org/' })
  await setRows(guidance(), 'webhooks', { url }, { id })
  await owner.call('POST', `/webhooks/${id}/ping`)
  await vi.waitFor(async () => {
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ attempts: 1, response_status: null })
    expect(delivery?.error).not.toBeNull()
  }, SOON)
  return (await deliveries())[0]?.error
}

/** Counts connections, also those that say nothing. */
async function listener(): Promise<{ port: number; connections: () => number }> {
  let count = 0
  const server = createServer((socket) => {
    count += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = addressOf(server.address())
  return { port, connections: () => count }
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return address
}

describe('A webhook that was stored when private addresses were allowed', () => {
  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', 'localhost'])('is not connected to at %s', async (host) => {
    const { port, connections } = await listener()
    expect(await outcomeOfStored(`https://${host}:${port}/`)).toBe('The receiver cannot be reached at a public address')
    expect(connections()).toBe(0)
  })

  it('is not sent to without TLS', async () => {
    expect(await outcomeOfStored('http://hooks.example.org/')).toBe('The address must begin with https://')
  })
})

describe('A webhook that was stored when every port was taken', () => {
  it('is not sent to a port of another protocol, and reports the reason', async () => {
    expect(await outcomeOfStored('https://hooks.example.org:22/')).toBe(
      'Deliveries are not sent to port 22, which is not for HTTP',
    )
  })
})
