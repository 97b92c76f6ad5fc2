import { readAttack } from '../attack/read-attack.ts'
import { readCciList } from '../ccis/cci-list.ts'
import { readOscal } from '../controls/oscal.ts'
import type { ReferenceData } from '../items.ts'
import type { ReferenceForm } from './form.ts'
import type { ReferenceDocument } from './unpack.ts'

const READERS: Readonly<Record<ReferenceForm, (bytes: Uint8Array) => ReferenceData>> = {
  cci_list: readCciList,
  oscal: readOscal,
  attack: readAttack,
}

/** Reads a document. It takes as long as its size needs, so it must not run on the main thread. */
export function readReferenceData({ form, bytes }: Pick<ReferenceDocument, 'form' | 'bytes'>): ReferenceData {
  return READERS[form](bytes)
}
