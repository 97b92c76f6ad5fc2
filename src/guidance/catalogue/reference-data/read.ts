import { readCciList } from './cci-list.ts'
import type { ReferenceData } from './items.ts'
import { readOscal } from './oscal.ts'
import type { ReferenceDocument } from './unpack.ts'

/** Reads a document. It takes as long as its size needs: only commands do so, which answer nobody meanwhile. */
export function readReferenceData({ form, bytes }: Pick<ReferenceDocument, 'form' | 'bytes'>): ReferenceData {
  return form === 'cci_list' ? readCciList(bytes) : readOscal(bytes)
}
