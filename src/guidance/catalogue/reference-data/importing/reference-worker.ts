import { serve } from '../../../../platform/threads/serve.ts'
import type { ReferenceItem } from '../items.ts'
import { headOf, readReferenceData, rowsFrom } from './read.ts'
import { REFERENCE } from './reference-protocol.ts'
import { findReferenceData } from './unpack.ts'

/** The items of the file that was opened last. */
let items: readonly ReferenceItem[] = []

serve(REFERENCE, {
  open: async ({ file, ...facts }) => {
    items = []
    const document = await findReferenceData(file, facts)
    if (document === null) return null
    const data = readReferenceData(document)
    items = data.items
    return headOf(data, document)
  },
  rows: (from) => rowsFrom(items, from),
})
