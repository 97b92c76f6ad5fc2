import { Refusal } from '../../platform/errors.ts'

/** Refuses a part of a list that is not of its form. */
export function refuseEntry(place: string, detail: string): Refusal {
  return new Refusal('parameter_invalid', `${place}: ${detail}`, { parameter: place })
}
