/** The position of a process among those of a service. */
export interface ProcessPosition {
  /** From 1 on. What takes the place of one that has died has its number. */
  readonly number: number
  readonly of: number
  /** Whether it begins the service: no other one runs yet, so what an earlier run has left is put in order. */
  readonly begins: boolean
}

export const ALONE: ProcessPosition = { number: 1, of: 1, begins: true }

/** Whether what bears the number of a process is for this one: the first takes what others have left who are no more. */
export function isOwn(number: number, place: ProcessPosition): boolean {
  return (number >= 1 && number <= place.of ? number : 1) === place.number
}
