import { readAttack } from '../attack/read-attack.ts'
import { readCciList } from '../ccis/cci-list.ts'
import { readOscal } from '../controls/oscal.ts'
import { readCweCsv } from '../cwe/read-csv.ts'
import { readCweXml } from '../cwe/read-xml.ts'
import type { ReferenceData } from '../items.ts'
import type { ReferenceForm } from './form.ts'
import type { ReferenceDocument } from './unpack.ts'

const READERS: Readonly<Record<ReferenceForm, (bytes: Uint8Array, fileName: string) => ReferenceData>> = {
  cci_list: readCciList,
  oscal: readOscal,
  attack: readAttack,
  cwe: readCweXml,
  cwe_csv: readCweCsv,
}

/** Reads a document. It takes as long as its size needs, so it must not run on the main thread. */
export function readReferenceData({ form, bytes, fileName }: Omit<ReferenceDocument, 'digest'>): ReferenceData {
  return READERS[form](bytes, fileName)
}
