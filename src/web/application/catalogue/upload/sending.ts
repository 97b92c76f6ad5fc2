import { shallowRef } from 'vue'
import { answerOf, api } from '../../client/api.ts'
import { fetchAnswer } from '../../client/fetch-answer.ts'
import { checkFile } from '../../client/files/checked-file.ts'
import { problemOf } from '../../client/problem.ts'
import { sendForm } from './send-form.ts'

export interface Options {
  readonly documentType: '' | 'srg' | 'stig'
  readonly version: string
  readonly isReplacing: boolean
}

/** Paths of uploads that start imports. */
type UploadPath = '/stigs' | '/api/reference-data'

/** A file that is being sent. */
export interface Upload {
  readonly key: number
  readonly file: File
  readonly options: Options
  readonly state: 'waiting' | 'sending' | 'refused' | 'cancelled'
  /** Number of sent bytes. */
  readonly sent: number
  /** Why it was refused. */
  readonly error: unknown
}

/** Longest delay before a retry if the service is overloaded, in milliseconds. */
const RETRY_MS = 5000

/** Sends files one after the other. The import of an accepted file continues on the service. */
export class SendingQueue {
  readonly list = shallowRef<readonly Upload[]>([])
  readonly #onAccepted: (id: number) => void
  readonly #path: UploadPath
  #controller: AbortController | null = null
  #isBusy = false
  #count = 0

  constructor(onAccepted: (id: number) => void, path: UploadPath = '/stigs') {
    this.#onAccepted = onAccepted
    this.#path = path
  }

  add(files: readonly File[], options: Options): void {
    const added = files.map((file): Upload => {
      this.#count += 1
      return { key: this.#count, file, options, state: 'waiting', sent: 0, error: null }
    })
    this.list.value = [...this.list.value, ...added]
    void this.#sendAll()
  }

  cancel(key: number): void {
    const upload = this.list.value.find((other) => other.key === key)
    if (upload?.state === 'sending') this.#controller?.abort()
    else this.#change(key, { state: 'cancelled' })
  }

  /** Cancels files that have not been accepted yet. */
  close(): void {
    this.#controller?.abort()
    this.list.value = []
  }

  async #sendAll(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    for (let upload = this.#next(); upload !== undefined; upload = this.#next()) await this.#send(upload)
    this.#isBusy = false
  }

  #next(): Upload | undefined {
    return this.list.value.find(({ state }) => state === 'waiting')
  }

  async #send({ key, file, options }: Upload): Promise<void> {
    const controller = new AbortController()
    this.#controller = controller
    this.#change(key, { state: 'sending', sent: 0, error: null })
    try {
      await checkFile(file, /\.xml$/i.test(file.name) ? 'xml' : 'catalogue')
      const onProgress = (sent: number): void => {
        this.#change(key, { sent })
      }
      const id = await send(this.#path, formOf(file, options), { signal: controller.signal, onProgress })
      this.list.value = this.list.value.filter((other) => other.key !== key)
      this.#onAccepted(id)
    } catch (error) {
      if (controller.signal.aborted) this.#change(key, { state: 'cancelled' })
      else if (problemOf(error).isPassing) await this.#postpone(key, error)
      else this.#change(key, { state: 'refused', error })
    }
  }

  /** Retries later: the service limits the files of one person at a time, or does not answer for a while. */
  async #postpone(key: number, error: unknown): Promise<void> {
    this.#change(key, { state: 'waiting', error })
    await new Promise((go) => setTimeout(go, problemOf(error).wait ?? RETRY_MS))
  }

  #change(key: number, change: Partial<Upload>): void {
    this.list.value = this.list.value.map((upload) => (upload.key === key ? { ...upload, ...change } : upload))
  }
}

interface Sending {
  readonly signal: AbortSignal
  /** Called with the number of sent bytes. */
  readonly onProgress: (bytes: number) => void
}

async function send(path: UploadPath, form: FormData, { signal, onProgress }: Sending): Promise<number> {
  const answer = api.POST(path, {
    // The generated types expect the file as text; the form is sent instead.
    body: { file: '' },
    bodySerializer: () => form,
    headers: { Prefer: 'respond-async' },
    signal,
    fetch: (request) => fetchAnswer(request, { ask: (sentRequest) => sendForm(sentRequest, form, onProgress) }),
  })
  return (await answerOf(answer)).id
}

function formOf(file: File, { documentType, version, isReplacing }: Options): FormData {
  const form = new FormData()
  if (documentType !== '') form.append('document_type', documentType)
  if (version !== '') form.append('version', version)
  if (isReplacing) form.append('replace', 'true')
  form.append('file', file)
  return form
}
