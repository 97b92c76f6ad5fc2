import type { Caller } from './caller.ts'
import type { Session } from './session.ts'
import type { Upload } from './upload.ts'

/** A request that has been read, but not checked. */
export interface RawRequest {
  readonly caller: Caller | null
  readonly params: Readonly<Record<string, unknown>>
  /** If a parameter is repeated, the last value counts. */
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly session: Session
  /** The client's address, as trusted proxies report it. */
  readonly address: string
  readonly header: (name: string) => string | undefined
  /** Sets a header of the answer. */
  readonly setHeader: (name: string, value: string) => void
  /** Sets the status of the answer, if it is not 200. */
  readonly setStatus: (status: 201 | 202) => void
  /** Whether the body is a form, as browsers send files. */
  readonly isForm: boolean
  /** Receives the form with its file, up to a size; only if the endpoint expects one. */
  readonly receive: (maxBytes?: number) => Promise<Upload>
  /** Removes the counted attempt again, because it was not a guess. */
  readonly forgive: () => Promise<void>
}
