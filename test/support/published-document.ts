import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { z } from 'zod'

const parameterObject = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  'x-forgiving': z.boolean().default(false),
  schema: z.looseObject({ type: z.string().optional() }),
})

const contentObject = z.record(z.string(), z.looseObject({}))

const operationObject = z.object({
  operationId: z.string(),
  parameters: z.array(parameterObject).default([]),
  requestBody: z.object({ required: z.boolean(), content: contentObject }).optional(),
  responses: z.record(z.string(), z.object({ content: contentObject.optional() })),
})

const documentObject = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationObject)),
  components: z.looseObject({}),
})

type Operation = z.infer<typeof operationObject>

/** A sent request and its received answer. */
export interface Exchange {
  readonly method: string
  /** The body as sent. */
  readonly url: string
  readonly sent: {
    readonly mediaType: string
    /** Parsed by its media type; undefined without a body, or if it cannot be parsed. */
    readonly body: unknown
  }
  readonly status: number
  readonly mediaType: string
  readonly body: unknown
}

interface Found {
  readonly path: string
  readonly operation: Operation
  readonly params: Readonly<Record<string, string>>
}

/**
 * The OpenAPI document of a service, as clients read it. Finds contradictions between it and an exchange. Compiles each
 * schema when it is first needed.
 */
export class PublishedDocument {
  readonly #paths: readonly (readonly [string, RegExp, Readonly<Record<string, Operation>>])[]
  readonly #ajv: Ajv2020
  readonly #document: unknown
  /** Compiled schemas by their texts. */
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(text: string) {
    const sent: unknown = JSON.parse(text)
    const { paths, components } = documentObject.parse(sent)
    this.#document = sent
    this.#paths = Object.entries(paths)
      .map(([path, operations]) => [path, patternOf(path), operations] as const)
      .sort(([a], [b]) => countParameters(a) - countParameters(b))
    // Annotations such as `x-forgiving` are not keywords of JSON Schema; numbers are those of JSON.
    this.#ajv = new Ajv2020({
      strict: false,
      allErrors: false,
      validateFormats: true,
      // The optimisation takes longer than it saves.
      code: { optimize: false },
    })
    addFormats.default(this.#ajv)
    this.#ajv.addSchema({ $id: 'document', paths, components })
  }

  /** Lists differences from the document; a path that it does not have is not checked. */
  contradictions(exchange: Exchange): readonly string[] {
    const match = this.#find(exchange)
    if (match === null) return []
    return [
      ...this.#inAnswer(match, exchange),
      // A refused request may be invalid, and pages answer any request.
      ...(exchange.status < 300 && exchange.mediaType !== 'text/html' ? this.#inRequest(match, exchange) : []),
    ]
  }

  #find({ method, url }: Exchange): Found | null {
    const [raw = ''] = url.split('?')
    const name = method === 'HEAD' ? 'get' : method.toLowerCase()
    for (const [path, pattern, operations] of this.#paths) {
      const match = pattern.exec(raw)
      const operation = operations[name]
      if (match !== null && operation !== undefined) return { path, operation, params: match.groups ?? {} }
      if (match !== null) return null
    }
    return null
  }

  #inAnswer({ path, operation }: Found, exchange: Exchange): readonly string[] {
    const { method, status, mediaType, body } = exchange
    // Tests of internal errors check them themselves.
    if (status >= 500 && !(String(status) in operation.responses)) return []
    const described = operation.responses[String(status)]
    if (described === undefined) return [`the status ${status} is not listed`]
    if (method === 'HEAD') return []
    if (described.content === undefined) return body === null ? [] : ['there should be no body']
    if (described.content[mediaType] === undefined) return [`no ${mediaType} is listed`]
    if (body === undefined) return []
    const place = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content']
    return this.#faults([...place, mediaType, 'schema'], body, 'the answer')
  }

  #inRequest(match: Found, exchange: Exchange): readonly string[] {
    const { path, operation } = match
    const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase()
    const parameters = operation.parameters.flatMap((parameter, index) => {
      const value = valueOf(parameter, match, exchange)
      if (value === undefined) return parameter.required ? [`${parameter.name} is missing`] : []
      if (parameter['x-forgiving'] || (value.trim() === '' && !parameter.required)) return []
      const place = ['paths', path, method, 'parameters', String(index), 'schema']
      return this.#faults(place, coerced(value, parameter.schema.type), parameter.name)
    })
    const { body, mediaType } = exchange.sent
    if (body === undefined || operation.requestBody === undefined) return parameters
    if (operation.requestBody.content[mediaType] === undefined) return [...parameters, `no ${mediaType} is taken`]
    const place = ['paths', path, method, 'requestBody', 'content', mediaType, 'schema']
    return [...parameters, ...this.#faults(place, body, 'the body')]
  }

  #faults(place: readonly string[], value: unknown, subject: string): readonly string[] {
    const validate = this.#validatorAt(place)
    if (validate(value)) return []
    return [`${subject}: ${this.#ajv.errorsText(validate.errors)}`]
  }

  /** Most schemas are used at many places. */
  #validatorAt(place: readonly string[]): ValidateFunction {
    const text = textAt(this.#document, place)
    const pointer = place.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    const validate = this.#validators.get(text) ?? this.#ajv.compile({ $ref: `document#/${pointer.join('/')}` })
    this.#validators.set(text, validate)
    return validate
  }
}

function textAt(document: unknown, place: readonly string[]): string {
  const inside = (node: unknown, step: string): unknown =>
    typeof node === 'object' && node !== null ? Reflect.get(node, step) : undefined
  return JSON.stringify(place.reduce(inside, document))
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(/[.()]/g, String.raw`\$&`)
  return new RegExp(`^${literal.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}

function countParameters(path: string): number {
  return path.split('{').length
}

type Parameter = z.infer<typeof parameterObject>

function valueOf({ name, in: place }: Parameter, { params }: Found, { url }: Exchange): string | undefined {
  if (place === 'path') return decodeURIComponent(params[name] ?? '')
  if (place === 'header') return undefined
  return new URLSearchParams(url.split('?')[1] ?? '').getAll(name).at(-1)
}

/** Encodes a value for an address, as clients do. */
function coerced(text: string, type: string | undefined): unknown {
  const isNumber = type === 'integer' && /^-?\d+$/.test(text)
  return isNumber ? Number(text) : text
}
