import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Pending answers get this long to finish before their connections are closed. */
const SHUTDOWN_MS = 10_000
/** A client that has not sent its whole request gets this long for the next piece. */
const STALLED_MS = 1500

/** Closes a server without refusing clients that have not noticed it yet. */
export interface Shutdown {
  /**
   * Continues to answer for some time, in which load balancers notice, and asks each client to close its connection. Then
   * accepts no more connections, closes those that are idle or have stopped sending their request, and resolves when the
   * pending answers are sent or ended.
   */
  begin(drainMs: number): Promise<void>
}

/**
 * The latest answer of each connection; null before its first request. Of pipelined requests, the last one counts.
 */
type Answers = Map<Socket, ServerResponse | null>

/** Has to be called before the server listens. */
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
  // Every request passes here, so listeners for its end are only added during a shutdown.
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
      // This includes connections with half a head or nothing, which Node.js regards as busy.
      for (const [socket, answer] of answers) if (!isUnderWay(answer)) socket.destroy()
      const stallCheck = setInterval(cutStalled(answers), STALLED_MS)
      const endTimer = setTimeout(() => {
        server.closeAllConnections()
      }, SHUTDOWN_MS)
      await closed
      clearInterval(stallCheck)
      clearTimeout(endTimer)
    },
  }
}

function isUnderWay(answer: ServerResponse | null): answer is ServerResponse {
  return answer?.closed === false
}

function cutStalled(answers: Answers): () => void {
  const bytesRead = new Map<Socket, number>()
  return () => {
    for (const [socket, answer] of answers) {
      if (!isUnderWay(answer)) continue
      if (!answer.req.complete && bytesRead.get(socket) === socket.bytesRead) socket.destroy()
      bytesRead.set(socket, socket.bytesRead)
    }
  }
}
