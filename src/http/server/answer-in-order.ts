import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A client can send a thousand of the shortest requests at once. Each waiting request takes 5 KB. */
const MAX_WAITING = 2000

/**
 * Handles the requests of a connection one after the other. node:http handles pipelined requests immediately and keeps
 * every answer in memory until its turn, even if the client has left: a thousand requests of 45 bytes cause a thousand
 * answers of any size. If too many wait, the connection is closed, because a refusal would be taken for the answer of an
 * earlier request.
 */
export function answerInOrder(handle: Handler): Handler {
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    if (response.socket !== null) {
      handle(request, response)
      return
    }
    const { socket } = request
    const before = waiting.get(socket) ?? 0
    if (before === MAX_WAITING) {
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
