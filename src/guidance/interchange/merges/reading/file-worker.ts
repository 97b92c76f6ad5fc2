import { partsHandlers } from '../../../../platform/threads/parts.ts'
import { serve } from '../../../../platform/threads/serve.ts'
import { FILE_PARTS } from './file-parts.ts'
import { readDocumentHere } from './read-document.ts'

serve(FILE_PARTS, partsHandlers(readDocumentHere))
