import { fetchAnswer } from '../../client/fetch-answer.ts'
import { saveBlob } from '../../client/files/save-blob.ts'
import { fileNameIn, fileNameOf } from './formats.ts'

interface ExportRequest {
  readonly path: string
  /** File name, if the answer gives none. */
  readonly name: string
  /** Added to the file name, if it is not the default. */
  readonly mode: string | undefined
  readonly onProgress: (bytes: number) => void
}

/** Saves an answer of the API and reports its progress. Throws a `Problem`. */
export async function save({ path, name, mode, onProgress }: ExportRequest): Promise<string> {
  const answer = await fetchAnswer(new Request(path, { headers: { Accept: '*/*' } }))
  const parts = await readParts(answer, onProgress)
  const file = fileNameIn(mode, fileNameOf(answer.headers.get('Content-Disposition'), name))
  saveBlob(new Blob(parts, { type: answer.headers.get('Content-Type') ?? '' }), file)
  return file
}

async function readParts(answer: Response, onProgress: (bytes: number) => void): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = answer.body?.getReader()
  let bytes = 0
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    parts.push(next.value)
    bytes += next.value.byteLength
    onProgress(bytes)
  }
  return parts
}
