import type { Server, ServerResponse } from 'node:http'
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

/**
 * The latest answer of each connection; null: nothing was asked yet. Of requests that a client sent without waiting for
 * answers, the last one counts.
 */
type Answers = Map<Socket, ServerResponse | null>

/** Call it before the server listens. */
export function shutdownOf(server: Server): Shutdown {
  const answers: Answers = new Map()
  let draining = false
  const endAfter = (socket: Socket, answer: ServerResponse): void => {
    answer.once('close', () => {
      // The head of the answer may have been sent before the shutdown began.
      if (answers.get(socket) === answer && !server.listening) socket.destroySoon()
    })
  }
  server.on('connection', (socket) => {
    answers.set(socket, null)
    socket.once('close', () => answers.delete(socket))
  })
  // Each request passes here, so nothing waits for its end until the server is told to stop.
  server.prependListener('request', ({ socket }, answer: ServerResponse) => {
    answers.set(socket, answer)
    if (!draining) return
    answer.setHeader('Connection', 'close')
    endAfter(socket, answer)
  })
  return {
    begin: async (drainMs) => {
      draining = true
      for (const [socket, answer] of answers) if (isUnderWay(answer)) endAfter(socket, answer)
      await new Promise((resolve) => setTimeout(resolve, drainMs))
      const closed = new Promise((resolve) => server.close(resolve))
      // Also those that have sent half a head or nothing, which Node.js takes for busy.
      for (const [socket, answer] of answers) if (!isUnderWay(answer)) socket.destroy()
      const looking = setInterval(cutStalled(answers), STALLED_MS)
      const cut = setTimeout(() => {
        server.closeAllConnections()
      }, SHUTDOWN_MS)
      await closed
      clearInterval(looking)
      clearTimeout(cut)
    },
  }
}

function isUnderWay(answer: ServerResponse | null): answer is ServerResponse {
  return answer?.closed === false
}

function cutStalled(answers: Answers): () => void {
  const read = new Map<Socket, number>()
  return () => {
    for (const [socket, answer] of answers) {
      if (!isUnderWay(answer)) continue
      if (!answer.req.complete && read.get(socket) === socket.bytesRead) socket.destroy()
      read.set(socket, socket.bytesRead)
    }
  }
}
