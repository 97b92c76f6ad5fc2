import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Answers under way get this long to finish before their connections are cut. */
const SHUTDOWN_MS = 10_000
/** A client that has not sent the whole of its request gets this long for the next piece. */
const STALLED_MS = 1500

/** Closes a server without turning away clients that could not know of it. */
export interface Shutdown {
  /**
   * Goes on answering for some time, in which balancers notice, and asks each client to close its connection.
   * Then takes no more connections, cuts those that are idle or do not go on sending their request, and
   * resolves when the pending answers are sent or cut.
   */
  begin(drainMs: number): Promise<void>
}

/** Call it before the server listens. */
export function shutdownOf(server: Server): Shutdown {
  const open = new Set<Socket>()
  const underWay = new Map<Socket, IncomingMessage>()
  let draining = false
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    underWay.set(socket, request)
    if (draining) response.setHeader('Connection', 'close')
    response.once('close', () => {
      // Of requests that a client sent without waiting for answers, the last one counts.
      if (underWay.get(socket) !== request) return
      underWay.delete(socket)
      // The head of the answer may have been sent before the shutdown began.
      if (!server.listening) socket.destroySoon()
    })
  })
  return {
    begin: async (drainMs) => {
      draining = true
      await new Promise((resolve) => setTimeout(resolve, drainMs))
      const closed = new Promise((resolve) => server.close(resolve))
      // Also those that have sent half a head or nothing, which Node.js takes for busy.
      for (const socket of open) if (!underWay.has(socket)) socket.destroy()
      const looking = setInterval(cutStalled(underWay), STALLED_MS)
      const cut = setTimeout(() => {
        server.closeAllConnections()
      }, SHUTDOWN_MS)
      await closed
      clearInterval(looking)
      clearTimeout(cut)
    },
  }
}

function cutStalled(underWay: ReadonlyMap<Socket, IncomingMessage>): () => void {
  const read = new Map<Socket, number>()
  return () => {
    for (const [socket, { complete }] of underWay) {
      if (!complete && read.get(socket) === socket.bytesRead) socket.destroy()
      read.set(socket, socket.bytesRead)
    }
  }
}
