/** The position of a process among the processes of a service. */
export interface ProcessPosition {
  /** From 1. The replacement of a dead process has the same number. */
  readonly number: number
  readonly count: number
  /** Whether it is the first process of a start, which cleans up after an earlier run. */
  readonly isFirst: boolean
}

export const ALONE: ProcessPosition = { number: 1, count: 1, isFirst: true }

/** Whether data with the number of a process belongs to this one. The first process takes over the data of missing ones. */
export function isOwn(number: number, position: ProcessPosition): boolean {
  return (number >= 1 && number <= position.count ? number : 1) === position.number
}
