import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy that lets through what asks for a tunnel (RFC 9110 §9.3.6). */
export interface TunnelProxy {
  readonly url: string
  /** Targets of the requested tunnels, each with its credentials. */
  readonly asked: string[]
}

/** Every tunnel leads to one server, whatever it is called: the proxy alone knows what names mean. */
export async function tunnelProxy(to: string): Promise<TunnelProxy> {
  const asked: string[] = []
  const open = new Set<Socket>()
  const proxy = createServer((_request, response) => void response.writeHead(405).end())
  proxy.on('connect', ({ url = '', headers }, client: Socket, head) => {
    asked.push(`${url} ${headers['proxy-authorization'] ?? 'nobody'}`)
    const server = connect(Number(new URL(to).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      server.write(head)
      server.pipe(client).pipe(server)
    })
    for (const socket of [client, server]) {
      open.add(socket)
      socket.on('error', () => socket.destroy())
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    proxy.close()
  })
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return { url: `http://127.0.0.1:${address.port}`, asked }
}
