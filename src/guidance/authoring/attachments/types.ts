import { Refusal } from '../../../platform/errors.ts'

/** The limit for one file, in bytes. */
export const MAX_FILE_BYTES = 5_000_000
export const MAX_PER_RULE = 20
export const MAX_PER_COMPONENT = 1000
/** The limit for all attachments of a component together, in bytes. */
export const MAX_COMPONENT_BYTES = 50_000_000
export const MAX_NAME = 255

interface FileType {
  readonly mediaType: string
  /** Extensions of file names, without the dot. */
  readonly endings: readonly string[]
  readonly fits: (content: Buffer) => boolean
}

const ZIP = startsWith('PK\u0003\u0004')
const OFFICE_PREFIX = 'application/vnd.openxmlformats-officedocument'

/** Text is always sent as plain text, whatever its extension, so that no browser runs it. */
const TYPES: readonly FileType[] = [
  { mediaType: 'image/png', endings: ['png'], fits: startsWith('\u0089PNG\r\n\u001A\n') },
  { mediaType: 'image/jpeg', endings: ['jpg', 'jpeg'], fits: startsWith('\u00FF\u00D8\u00FF') },
  { mediaType: 'application/pdf', endings: ['pdf'], fits: startsWith('%PDF-') },
  { mediaType: `${OFFICE_PREFIX}.wordprocessingml.document`, endings: ['docx'], fits: ZIP },
  { mediaType: `${OFFICE_PREFIX}.spreadsheetml.sheet`, endings: ['xlsx'], fits: ZIP },
  { mediaType: 'application/zip', endings: ['zip'], fits: ZIP },
  {
    mediaType: 'text/plain',
    endings: ['txt', 'log', 'csv', 'md', 'json', 'yaml', 'yml', 'xml', 'conf', 'cfg', 'ini'],
    fits: isText,
  },
]

export const MEDIA_TYPES = TYPES.map(({ mediaType }) => mediaType)

function startsWith(bytes: string): (content: Buffer) => boolean {
  const start = Buffer.from(bytes, 'latin1')
  return (content) => content.subarray(0, start.length).equals(start)
}

/** Text may also be UTF-16 with a byte order mark: Windows writes logs in it. */
function isText(content: Buffer): boolean {
  const isUtf16 = startsWith('\u00FF\u00FE')(content) || startsWith('\u00FE\u00FF')(content)
  // Tab, line feed, form feed, carriage return and escape, which colours the output of programs.
  return isUtf16 || !content.some((byte) => byte < 32 && ![9, 10, 12, 13, 27].includes(byte))
}

/** The media type of a file, by its content. Refuses types that are not in the list, and extensions of another type. */
export function mediaTypeOf(name: string, content: Buffer): string {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const type = TYPES.find(({ endings }) => endings.includes(ending))
  if (type === undefined) {
    const endings = TYPES.flatMap(({ endings }) => endings).join(', ')
    throw new Refusal(
      'unsupported_file_type',
      `${name || 'A file without a name'} cannot be attached. Types: ${endings}.`,
    )
  }
  if (!type.fits(content))
    throw new Refusal('unsupported_file_type', `The content of ${name} is not what its ending .${ending} says.`)
  return type.mediaType
}
