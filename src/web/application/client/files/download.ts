import { fetchAnswer } from '../fetch-answer.ts'
import { saveBlob } from './save-blob.ts'

interface DownloadRequest {
  readonly path: string
  readonly type: string
  /** The name of the saved file. */
  readonly file: string
}

/** Saves an answer in a media type. Throws a `Problem`. */
export async function download({ path, type, file }: DownloadRequest): Promise<void> {
  const answer = await fetchAnswer(new Request(path, { headers: { Accept: type } }))
  saveBlob(await answer.blob(), file)
}
