import { inMegabytes } from '../../parts/words/counted-noun.ts'
import { Problem } from '../problem.ts'
import { queryClient } from '../query-client.ts'
import { settingsQuery } from '../settings.ts'

/** The kinds of upload. */
export type FileKind = 'catalogue' | 'xml' | 'archive' | 'spreadsheet' | 'attachment'

/**
 * Refuses files that the service would refuse after receiving them, and files that the browser can no longer read,
 * because that looks like a service that does not answer.
 */
export async function checkFile(file: File, kind: FileKind): Promise<void> {
  const limit = await limitOf(kind)
  if (file.size > limit) {
    const sizes = `${file.name} has ${inMegabytes(file.size)}, more than the limit of ${inMegabytes(limit)}.`
    throw new Problem(413, { code: 'too_large', detail: `${sizes} It was not sent.` })
  }
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    const detail = `${file.name} cannot be read: it is a folder, or was changed or moved since it was chosen. Choose it again.`
    throw new Problem(400, { detail })
  }
}

/** If the settings cannot be loaded, only the service checks the size. */
async function limitOf(kind: FileKind): Promise<number> {
  try {
    const { uploads } = await queryClient.query({
      ...settingsQuery,
      staleTime: 'static',
      retry: false,
    })
    return uploads[`${kind}_bytes`]
  } catch {
    return Infinity
  }
}
