import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A thousand of the shortest requests fit into one piece that is read from a connection; what waits takes 5 KB each. */
const MOST_WAITING = 2000

/**
 * Takes up a request when those before it on its connection are answered. node:http takes up at once all that a client
 * sends without waiting, and keeps every answer in memory until its turn comes, also when the client has gone: a thousand
 * requests of 45 bytes made a thousand answers of any size. Who sends more than may wait is cut off: an answer in
 * between would be taken for that of another request.
 */
export function inTurn(handle: Handler): Handler {
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    if (response.socket !== null) {
      handle(request, response)
      return
    }
    const { socket } = request
    const before = waiting.get(socket) ?? 0
    if (before === MOST_WAITING) {
      socket.destroy()
      return
    }
    waiting.set(socket, before + 1)
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      handle(request, response)
    })
  }
}
