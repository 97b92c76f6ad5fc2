import { partsHandlers } from '../../../../platform/threads/parts.ts'
import { serve } from '../../../../platform/threads/serve.ts'
import { ARCHIVE_PARTS } from './archive.ts'
import { readArchiveHere } from './read-archive.ts'

serve(ARCHIVE_PARTS, partsHandlers(readArchiveHere))
