import { problem, type Level, type Problem } from './problem.ts'

/** A problem at the location that its message names. */
export function problemAt(level: Level, code: string, message: string): Problem {
  const cell = /\(([A-Z]{1,3}\d+)\)|\bCell ([A-Z]{1,3}\d+)/.exec(message)
  return problem({
    level,
    code,
    message,
    line: numberAfter(/\bline (\d+)/i, message),
    row: numberAfter(/\brows? (\d+)/i, message),
    cell: cell?.[1] ?? cell?.[2] ?? null,
  })
}

function numberAfter(word: RegExp, message: string): number | null {
  const digits = word.exec(message)?.[1]
  return digits === undefined ? null : Number(digits)
}
