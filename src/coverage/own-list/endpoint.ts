import { readFile } from 'node:fs/promises'
import { TextDecoder } from 'node:util'
import { z } from 'zod'
import type { FindSources } from '../../contracts/coverage.ts'
import {
  listCoverage,
  type FindCitingSources,
  type ListContent,
  type ListMeasure,
} from '../../contracts/list-coverage.ts'
import { anyone } from '../../http/access.ts'
import type { Caller } from '../../http/caller.ts'
import { endpoint, type Endpoint } from '../../http/endpoint.ts'
import type { Upload } from '../../http/upload.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { coverageLists, coverageQuery, namesIn } from '../query.ts'
import { isBundle } from './bundle.ts'
import { isLayer } from './layer.ts'
import { nameEntry } from './names.ts'

/** Larger JSON would keep other requests waiting while it is parsed. */
const MOST_BYTES = 4 * 1024 * 1024

interface ListParts {
  /** Null where there is no ontology. */
  readonly coverage: ListMeasure | null
  readonly findSources: FindSources<Caller | null>
  readonly findCitingSources: FindCitingSources
}

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

const listBody = ownList.extend({
  against: ownList.optional().meta({ description: 'A list that this one is compared with' }),
})

const { against_stig: _s, against_srg: _r, against_component: _c, against_project: _p, ...shown } = coverageQuery.shape
const listQuery = z.object(shown)

/** `POST /api/coverage`: coverage of a list of attacks and techniques that somebody has. */
export function listEndpoint({ coverage, findSources, findCitingSources }: ListParts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/api/coverage',
    operation: 'measureList',
    tag: 'Coverage',
    summary: 'Coverage of your own list: ids, a layer of ATT&CK Navigator, a CSV or a STIX bundle',
    access: anyone,
    readsOnly: true,
    upload: 'optional',
    limited: 'uploads',
    largestFile: MOST_BYTES,
    keepsNoText: true,
    lists: coverageLists.filter((name) => name in shown),
    input: z.object({ query: listQuery, body: listBody }),
    answer: listCoverage,
    refusals: ['no_release', 'release_not_found', 'parameter_missing', 'parameter_invalid', 'malformed_json'],
    handle: async ({ grant, input: { query, body }, upload }) => {
      if (coverage === null) throw new Refusal('no_release', 'No ontology is loaded.')
      const list = upload === null ? contentOf(body, '') : await contentOfFile(upload)
      const against = body.against === undefined ? null : contentOf(body.against, 'against.')
      const names = namesIn({ ...NO_OTHERS, ...query }, '')
      const named = names && (await findSources(grant, names))
      const { release = null, domain: domains } = query
      return coverage.list({ release, domains, list, against, named, findCitingSources })
    },
  })
}

const NO_OTHERS = { against_stig: [], against_srg: [], against_component: [], against_project: [] }

const FORMS = ['layer', 'bundle', 'csv'] as const
const NOTHING =
  'Send {"attacks": [...], "techniques": [...]}, a layer of ATT&CK Navigator, a STIX bundle, {"csv": "..."}, or one of ' +
  'these as a file.'

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
  throw new Refusal('parameter_missing', NOTHING, { parameter: `${place}attacks` })
}

/** JSON that is a layer or a bundle itself. */
function formOf(body: object, place: string): ListContent | null {
  if (isBundle(body)) return { form: 'bundle', content: body, place }
  return isLayer(body) ? { form: 'layer', content: body, place } : null
}

async function contentOfFile({ path }: Upload): Promise<ListContent> {
  const text = decode(await readFile(path))
  if (!/^\s*[[{]/.test(text)) return { form: 'csv', content: text, place: '' }
  const parsed = ownList.safeParse(parseJson(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') ?? ''
    throw new Refusal('parameter_invalid', `The file cannot be used: ${where} ${issue?.message ?? ''}.`)
  }
  return contentOf(parsed.data, '')
}

function decode(bytes: Buffer): string {
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
