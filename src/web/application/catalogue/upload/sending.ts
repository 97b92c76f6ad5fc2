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
  readonly #accepted: (id: number) => void
  readonly #path: UploadPath
  #under: AbortController | null = null
  #isBusy = false
  #count = 0

  constructor(accepted: (id: number) => void, path: UploadPath = '/stigs') {
    this.#accepted = accepted
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
    const one = this.list.value.find((other) => other.key === key)
    if (one?.state === 'sending') this.#under?.abort()
    else this.#change(key, { state: 'cancelled' })
  }

  /** Cancels files that have not been accepted yet. */
  close(): void {
    this.#under?.abort()
    this.list.value = []
  }

  async #sendAll(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    for (let one = this.#next(); one !== undefined; one = this.#next()) await this.#send(one)
    this.#isBusy = false
  }

  #next(): Upload | undefined {
    return this.list.value.find(({ state }) => state === 'waiting')
  }

  async #send({ key, file, options }: Upload): Promise<void> {
    const under = new AbortController()
    this.#under = under
    this.#change(key, { state: 'sending', sent: 0, error: null })
    try {
      await checkFile(file, /\.xml$/i.test(file.name) ? 'xml' : 'catalogue')
      const told = (sent: number): void => {
        this.#change(key, { sent })
      }
      const id = await send(this.#path, formOf(file, options), { signal: under.signal, told })
      this.list.value = this.list.value.filter((other) => other.key !== key)
      this.#accepted(id)
    } catch (error) {
      if (under.signal.aborted) this.#change(key, { state: 'cancelled' })
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
    this.list.value = this.list.value.map((one) => (one.key === key ? { ...one, ...change } : one))
  }
}

interface Sending {
  readonly signal: AbortSignal
  /** Called with the number of sent bytes. */
  readonly told: (bytes: number) => void
}

async function send(path: UploadPath, form: FormData, { signal, told }: Sending): Promise<number> {
  const answer = api.POST(path, {
    // The generated types expect the file as text; the form is sent instead.
    body: { file: '' },
    bodySerializer: () => form,
    headers: { Prefer: 'respond-async' },
    signal,
    fetch: (request) => fetchAnswer(request, { ask: (asked) => sendForm(asked, form, told) }),
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
