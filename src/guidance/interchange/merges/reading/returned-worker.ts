import { partsHandlers } from '../../../../platform/threads/parts.ts'
import { serve } from '../../../../platform/threads/serve.ts'
import { readDocumentHere } from './document.ts'
import { RETURNED_PARTS } from './returned-parts.ts'

serve(RETURNED_PARTS, partsHandlers(readDocumentHere))
