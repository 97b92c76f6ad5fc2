import { fetchAnswer } from '../fetch-answer.ts'
import { saveBlob } from './save-blob.ts'

interface DownloadRequest {
  readonly path: string
  readonly type: string
  /** The name that the file is saved by. */
  readonly file: string
}

/** Saves an answer in the media type that is wanted. Throws a `Problem`. */
export async function download({ path, type, file }: DownloadRequest): Promise<void> {
  const answer = await fetchAnswer(new Request(path, { headers: { Accept: type } }))
  saveBlob(await answer.blob(), file)
}
