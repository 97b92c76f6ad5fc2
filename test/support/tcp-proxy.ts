import { createServer, connect, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy between the service and another server, which can simulate failures of that server. */
export interface TcpProxy {
  readonly port: number
  /** Ends all connections and refuses new ones, like a stopped server. */
  stop(): Promise<void>
  /** Accepts connections, but sends nothing, like a hanging machine. */
  hang(): Promise<void>
  /** Lets everything through again. */
  resume(): Promise<void>
}

/** Passes everything on to the server at this URL, until a test changes its behaviour. */
export async function startProxy(target: URL): Promise<TcpProxy> {
  const { hostname, port: targetPort } = target
  const sockets = new Set<Socket>()
  let server: Server | null = null
  let port = 0
  let silent = false
  const start = async (): Promise<void> => {
    const started = createServer((incoming) => {
      keep(incoming)
      if (silent) return
      const outgoing = connect(Number(targetPort), hostname)
      keep(outgoing)
      incoming.pipe(outgoing).pipe(incoming)
      incoming.on('close', () => outgoing.destroy())
      outgoing.on('close', () => incoming.destroy())
    })
    await new Promise<void>((resolve) => started.listen(port, '127.0.0.1', resolve))
    const address = started.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
    server = started
  }
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const stop = async (): Promise<void> => {
    const stopped = server
    server = null
    for (const socket of sockets) socket.destroy()
    if (stopped !== null) await new Promise((resolve) => stopped.close(resolve))
  }
  const restart = async (how: { readonly silent: boolean }): Promise<void> => {
    await stop()
    silent = how.silent
    await start()
  }
  await start()
  onTestFinished(stop)
  return { port, stop, hang: () => restart({ silent: true }), resume: () => restart({ silent: false }) }
}
