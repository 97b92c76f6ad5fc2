import { partsHandlers } from '../../../../platform/threads/parts.ts'
import { serve } from '../../../../platform/threads/serve.ts'
import { SHEET_PARTS, toParts } from './records.ts'
import { readTables } from './rows.ts'

serve(
  SHEET_PARTS,
  partsHandlers(async function* ({ path, encoding }) {
    yield* toParts(readTables(path, encoding))
  }),
)
