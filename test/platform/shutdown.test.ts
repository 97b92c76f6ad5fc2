// @module-tag node

import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { shutdownOf, type Shutdown } from '../../src/platform/shutdown.ts'

/** Answers `/slow` when it is told to, `/half` when all of it is there, everything else at once. */
async function served(): Promise<{
  readonly server: Server
  readonly shutdown: Shutdown
  readonly port: number
  readonly slow: Promise<() => void>
}> {
  let announce: (finish: () => void) => void = () => undefined
  const slow = new Promise<() => void>((resolve) => {
    announce = resolve
  })
  const server = createServer((incoming, response) => {
    if (incoming.url === '/half') {
      incoming.resume().on('end', () => response.end())
      return
    }
    if (incoming.url !== '/slow') {
      response.end('quick')
      return
    }
    response.flushHeaders()
    announce(() => response.end('slow'))
  })
  const shutdown = shutdownOf(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { server, shutdown, port: typeof address === 'object' && address !== null ? address.port : 0, slow }
}

const agent = new Agent({ keepAlive: true })

function ask(port: number, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ port, path, agent, host: '127.0.0.1' }, resolve).on('error', reject).end()
  })
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('A server that stops', () => {
  it('answers new connections for a while, then finishes running answers and closes the rest', async () => {
    const { server, shutdown, port, slow } = await served()
    const cut: Promise<unknown>[] = []
    const half = 'POST /half HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'
    for (const said of ['', 'GET / HTTP/1.1\r\nHost: x\r\nX-Ha', half]) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      await once(server, 'connection')
      socket.resume().write(said)
      cut.push(once(socket, 'close'))
    }
    await textOf(await ask(port, '/'))
    const underWay = await ask(port, '/slow')
    const finish = await slow
    let over = false
    const ended = shutdown.begin(1500).then(() => {
      over = true
    })
    const late = await ask(port, '/')
    expect(late.headers.connection).toBe('close')
    expect(await textOf(late)).toBe('quick')
    await Promise.all(cut)
    await expect(ask(port, '/')).rejects.toThrow()
    expect(over).toBe(false)
    finish()
    expect(await textOf(underWay)).toBe('slow')
    await ended
  })

  it('does not cut off a client whose answer takes long to prepare', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { server, shutdown, port, slow } = await served()
    const asking = ask(port, '/slow')
    const finish = await slow
    const ended = shutdown.begin(0)
    while (server.listening) await sleep(5)
    // Some looks for those that are stuck.
    vi.advanceTimersByTime(5000)
    finish()
    expect(await textOf(await asking)).toBe('slow')
    await ended
  })

  it('does not wait for a client that keeps its side of an answered connection open', async () => {
    const { server, shutdown, port, slow } = await served()
    server.keepAliveTimeout = 75_000
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => {
      client.destroy()
    })
    client.resume().write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    const finish = await slow
    const begun = performance.now()
    const ended = shutdown.begin(0)
    // After the listener is closed, as an answer that takes long is.
    setTimeout(finish, 100)
    await ended
    expect(performance.now() - begun).toBeLessThan(8000)
  })
})
