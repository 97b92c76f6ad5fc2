import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'

/** Answers on a free port of this machine until the test that asks for it has finished. */
export async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
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
  return `http://127.0.0.1:${address.port}`
}
