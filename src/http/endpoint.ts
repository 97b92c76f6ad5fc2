import type { z } from 'zod'
import type { RefusalCode } from '../platform/errors.ts'
import type { Access } from './access.ts'
import { dropBlanks, refuseInput, requireStorable } from './input.ts'
import { plainFault } from './plain-faults.ts'
import type { RawRequest } from './request.ts'
import type { Upload } from './upload.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The parts of a request that an endpoint reads; others are ignored. */
export type InputSchema = z.ZodObject<Partial<Readonly<Record<'params' | 'query' | 'body', z.ZodType>>>>

/** A request that is allowed: its grant, and its checked input. */
export interface EndpointCall<Grant, Input> extends Pick<
  RawRequest,
  'session' | 'address' | 'header' | 'setHeader' | 'setStatus' | 'forgive'
> {
  readonly grant: Grant
  readonly input: Input
  /** The uploaded file, if the endpoint expects one; removed after the handler has ended. */
  readonly upload: Upload | null
}

interface EndpointText {
  /** Several are aliases of each other. */
  readonly method: Method | readonly Method[]
  /** With `{name}` for a parameter. */
  readonly path: string
  /** Unique; the name of the operation in the OpenAPI document. */
  readonly operation: string
  readonly tag: string
  readonly summary: string
  /** Parameters of the query that may be given several times; they become one, with commas. */
  readonly lists?: readonly string[]
  /** Title of the toast when the input is refused. */
  readonly failure?: string
  /**
   * Counts against the limit of attempts from one address, or of uploads from there. `byCaller`: the handler counts the
   * requests of one person. `imports`: like `uploads`, but without those of site administrators, whose simultaneous work
   * `admit` limits.
   */
  readonly limited?: boolean | 'uploads' | 'imports' | 'byCaller'
  /**
   * The body is a form with a file; its other values are checked as the body. `optional`: the body may be JSON, which is
   * checked, or a form, which `handleForm` gets unchecked; without that function, `handle` gets it checked.
   */
  readonly upload?: boolean | 'optional'
  /** In bytes; a larger file is refused. Default: the limit of all uploads. */
  readonly largestFile?: number
  /** Changes nothing, whatever its method: a token with the scope `read` may call it. */
  readonly readsOnly?: boolean
  /** Texts of the body are only compared, so they may have characters that cannot be stored. */
  readonly keepsNoText?: boolean
  /** Also answers callers who have not accepted the terms of use. */
  readonly beforeConsent?: boolean
  /** Also answers callers who have to set up a second factor first. */
  readonly beforeSecondFactor?: boolean
  /** Answers 201: there is a new record. */
  readonly created?: boolean
  /** May answer 202 with a Location if the work takes long. */
  readonly later?: boolean
  /** Headers of the answer. An ETag is the version of a record, which a change may name in If-Match. */
  readonly headers?: readonly ('ETag' | 'X-CSRF-Token' | 'X-Session-Ends-In')[]
  /** The answer has a strong ETag; a client that has it gets 304. */
  readonly revalidates?: boolean
  /** The answer holds no secret and no text of the request, so it is compressed even for a single caller (BREACH). */
  readonly compresses?: boolean
  /** Refusals besides those that follow from access and input. */
  readonly refusals?: readonly RefusalCode[]
  /** Media types of a document, or those that the answer has besides JSON. */
  readonly mediaTypes?: readonly string[]
  /** Media types of a body that is not JSON. */
  readonly requestTypes?: readonly string[]
  /** The schema of the JSON that clients can request instead of a stream of events. */
  readonly page?: z.ZodType
  /** The answer's name in the OpenAPI document; by default, it is named after the operation. */
  readonly answerName?: string
  /**
   * Belongs to a published release: the answer has a strong ETag, and `refusals` lists all refusals.
   */
  readonly published?: boolean
  /** A client that accepts only HTML is redirected to the page that shows the record. */
  readonly hasPage?: boolean
  /** Pages of any origin may send the request and read the answer or the problem. */
  readonly open?: boolean
  /** A part of the answer can be requested with `Range`. */
  readonly ranged?: boolean
}

interface Definition<I extends InputSchema, A extends z.ZodType, G> extends EndpointText {
  readonly access: Access<G>
  readonly input: I
  /** The schema of the 200 answer; a `redirection` sends the browser on instead. */
  readonly answer: A
  readonly handle: (call: EndpointCall<G, z.output<I>>) => Promise<z.input<A>>
  /** May refuse a file before it is received; the function that it returns is called when the file has been received. */
  readonly admit?: (grant: G) => () => void
  /** Applies if the form is optional. */
  readonly handleForm?: (grant: G, upload: Upload) => Promise<z.input<A>>
}

/** One operation over HTTP, as data: its name, access, input and answer. */
export interface EndpointDescription extends Omit<EndpointText, 'method'> {
  readonly methods: readonly Method[]
  readonly access: Omit<Access<unknown>, 'grant'>
  readonly input: InputSchema
  readonly answer: z.ZodType
}

/** An operation that can be answered. */
export interface Endpoint extends EndpointDescription {
  /** Checks access first, then the input, then handles the request. */
  run(request: RawRequest): Promise<unknown>
}

type AdmitUpload = () => (() => void) | undefined

async function receive(request: RawRequest, admit: AdmitUpload, largest: number | undefined): Promise<Upload> {
  const whenThere = admit()
  try {
    return await request.receive(largest)
  } finally {
    whenThere?.()
  }
}

export function endpoint<I extends InputSchema, A extends z.ZodType, G>(definition: Definition<I, A, G>): Endpoint {
  const { access, input, handle, handleForm, failure, method, keepsNoText } = definition
  const requireTexts = keepsNoText === true ? () => undefined : requireStorable
  return {
    ...definition,
    methods: typeof method === 'string' ? [method] : method,
    run: async (request) => {
      const grant = await access.grant(request)
      const expectsFile = definition.upload === true || (definition.upload === 'optional' && request.isForm)
      const admit: AdmitUpload = () => definition.admit?.(grant)
      const upload = expectsFile ? await receive(request, admit, definition.largestFile) : null
      try {
        if (handleForm !== undefined && upload !== null) return await handleForm(grant, upload)
        const { params, body } = { ...request, ...(upload && { body: upload.fields }) }
        const query = dropBlanks(request.query, input.shape.query, definition.lists)
        const parsed = input.safeParse({ params, query, body }, { error: plainFault })
        if (!parsed.success) throw refuseInput(parsed.error, { body }, failure)
        requireTexts(parsed.data, failure)
        const value = await handle({ ...request, grant, upload, input: parsed.data })
        if (definition.created === true) request.setStatus(201)
        return value
      } finally {
        await upload?.discard()
      }
    },
  }
}
