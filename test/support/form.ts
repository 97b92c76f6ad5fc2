import { randomBytes } from 'node:crypto'

/** A form with a file (RFC 7578). */
export interface Form {
  readonly file: string | Uint8Array
  readonly fileName?: string
  /** The other values, which come before the file. */
  readonly fields?: Readonly<Record<string, string>>
}

/** The text of one part of a form. */
export interface Part {
  /** The content without the line end. */
  readonly disposition: string
  readonly content: string | Uint8Array
}

export interface EncodedForm {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Encodes a form as browsers do. */
export function encodeForm({ file, fileName = 'file.xml', fields = {} }: Form): EncodedForm {
  const values = Object.entries(fields).map(([name, content]) => fieldPart(name, content))
  return encodeParts([...values, filePart('file', fileName, file)])
}

export function fieldPart(name: string, content: string): Part {
  return { disposition: `form-data; name="${quoted(name)}"`, content }
}

export function filePart(name: string, fileName: string, content: string | Uint8Array): Part {
  return { disposition: `form-data; name="${quoted(name)}"; filename="${quoted(fileName)}"`, content }
}

export function encodeParts(parts: readonly Part[], boundary = `----${randomBytes(12).toString('hex')}`): EncodedForm {
  const written = parts.flatMap(({ disposition, content }) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

/** Escapes a name in a form, as WHATWG HTML specifies. */
function quoted(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
}
