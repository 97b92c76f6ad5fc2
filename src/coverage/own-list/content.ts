import { TextDecoder } from 'node:util'
import { z } from 'zod'
import type { ListContent } from '../../contracts/list-coverage.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { isBundle } from './bundle.ts'
import { isLayer } from './layer.ts'
import { nameEntry } from './names.ts'

const ownList = z.looseObject({
  attacks: z.array(nameEntry).optional().meta({ description: 'T1110, d3f:T1110, an IRI; or {id, domain}' }),
  techniques: z
    .array(z.union([nameEntry, z.looseObject({ techniqueID: z.string() })]))
    .optional()
    .meta({ description: 'D3-AL, d3f:AccountLocking, an IRI; of a layer, its entries' }),
  layer: z.looseObject({}).optional().meta({ description: 'A layer of ATT&CK Navigator' }),
  bundle: z.looseObject({}).optional().meta({ description: 'A STIX bundle' }),
  csv: z.string().optional().meta({ description: 'A table with a column of ids' }),
})

/** A list as JSON, and perhaps another that it is compared with. */
export const listBody = ownList.extend({
  against: ownList.optional().meta({ description: 'A list that this one is compared with' }),
})

const FORMS = ['layer', 'bundle', 'csv'] as const
const EMPTY_LIST_MESSAGE =
  'Send {"attacks": [...], "techniques": [...]}, a layer of ATT&CK Navigator, a STIX bundle, {"csv": "..."}, or one of ' +
  'these as a file.'

interface OwnLists {
  readonly list: ListContent
  readonly against: ListContent | null
}

/** The lists of a body of JSON. */
export function listsOf(body: z.output<typeof listBody>): OwnLists {
  const { against } = body
  return { list: contentOf(body, ''), against: against === undefined ? null : contentOf(against, 'against.') }
}

function contentOf(body: z.output<typeof ownList>, place: string): ListContent {
  const whole = formOf(body, place)
  const parts = FORMS.filter((form) => body[form] !== undefined)
  const isNamed = body.attacks !== undefined || body.techniques !== undefined
  const [form] = parts
  if (whole === null && parts.length + Number(isNamed) > 1)
    throw new Refusal('parameter_invalid', `The list has several forms: ${[...parts, 'ids'].join(', ')}. Send one.`)
  if (whole !== null) return whole
  if (form !== undefined) return { form, content: body[form], place: `${place}${form}.` }
  if (isNamed) return { form: 'list', content: body, place }
  throw new Refusal('parameter_missing', EMPTY_LIST_MESSAGE, { parameter: `${place}attacks` })
}

/** JSON that is a layer or a bundle itself. */
function formOf(body: object, place: string): ListContent | null {
  if (isBundle(body)) return { form: 'bundle', content: body, place }
  return isLayer(body) ? { form: 'layer', content: body, place } : null
}

/** The lists of a file: JSON that may have a second one, or a table. */
export function listsOfFile(bytes: Uint8Array): OwnLists {
  const text = decode(bytes)
  if (!/^\s*[[{]/.test(text)) return { list: { form: 'csv', content: text, place: '' }, against: null }
  const parsed = listBody.safeParse(parseJson(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') ?? ''
    throw new Refusal('parameter_invalid', `The file cannot be used: ${where} ${issue?.message ?? ''}.`)
  }
  return listsOf(parsed.data)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('parameter_invalid', 'The file is not UTF-8 text.', { parameter: 'file' })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /at position (\d+)/.exec(messageOf(error))?.[1]
    const where = position === undefined ? '' : ` (at position ${position})`
    throw new Refusal('malformed_json', `The file is not valid JSON${where}.`)
  }
}
