import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { onTestFinished } from 'vitest'

/** Certificate and private key, as PEM. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

/** A server on a free port until the end of the test; over TLS, if it has an identity. */
export async function startServer(listener: RequestListener, identity: Identity | null = null): Promise<string> {
  const server = identity === null ? createServer(listener) : createSecureServer(identity, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => {
          resolve()
        })
      }),
  )
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return `${identity === null ? 'http' : 'https'}://127.0.0.1:${address.port}`
}
