import { nameOf } from '../../../platform/words.ts'
import { nistControlNames, nistControls } from './nist-controls.ts'

let cachedControls: ReadonlyMap<string, string> | null = null

/**
 * Returns the CCI or control of DISA's list for a name in any spelling, such as `cci 15` or `ac-2(1)`; null if there is
 * none.
 */
export function listedControl(name: string): string | null {
  cachedControls ??= new Map(
    [...nistControls().keys(), ...nistControls().values(), ...nistControlNames().keys()].map((id) => [
      nameOf(id),
      id.replaceAll(' ', ''),
    ]),
  )
  return cachedControls.get(nameOf(name)) ?? null
}
