import { pino, type Logger } from 'pino'

export type Log = Logger

/** Limit of the bytes that wait to be written; further lines are dropped. */
const MAX_WAITING = 16 * 1024 * 1024

/**
 * Writes JSON lines to standard error, because standard output is for results. If standard error is a file on a full
 * disk, the program continues without a log.
 */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, standardError())
}

function standardError(): ReturnType<typeof pino.destination> {
  const lines = pino.destination({ dest: 2, maxLength: MAX_WAITING })
  let stuck = false
  lines.on('error', () => {
    stuck = true
  })
  lines.on('write', () => {
    stuck = false
  })
  const flush = lines.flushSync.bind(lines)
  // At the end of the process, the library would wait for space for ever.
  lines.flushSync = () => {
    if (!stuck) flush()
  }
  return lines
}
