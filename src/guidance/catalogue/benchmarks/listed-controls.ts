import { nameOf } from '../../../platform/words.ts'
import { nistControlNames, nistControls } from './nist-controls.ts'

let listed: ReadonlyMap<string, string> | null = null

/** The CCI or control of DISA's list that has a name, however that is written: `cci 15`, `ac-2(1)`; null for another name. */
export function listedControl(name: string): string | null {
  listed ??= new Map(
    [...nistControls().keys(), ...nistControls().values(), ...nistControlNames().keys()].map((id) => [
      nameOf(id),
      id.replaceAll(' ', ''),
    ]),
  )
  return listed.get(nameOf(name)) ?? null
}
