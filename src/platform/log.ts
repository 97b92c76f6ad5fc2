import { pino, type Logger } from 'pino'

export type Log = Logger

/** JSON lines on standard error, so that standard output stays free for results. */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
}
