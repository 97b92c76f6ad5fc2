import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ApiAnswer } from './ask.ts'
import type { ToolAnswer } from './tools/tool.ts'

/** A list of an answer that was shortened. */
interface ShortenedList {
  /** `rules.attacks` */
  readonly list: string
  readonly shown: number
  readonly of: number
}

/** Lists are cut to the longest of these lengths with which the answer fits. */
const LENGTHS = [500, 200, 100, 50, 25, 10, 5, 3, 1, 0]

/** Limit of shortened lists that are named. */
const MAX_NAMED = 20

/** Characters of the JSON of an answer: some 20,000 tokens. */
export const MAX_CHARACTERS = 60_000

const ofOntology = z.object({ ontology: z.object({ version: z.string(), digest: z.string() }) })

/** Shapes an answer of the API for a tool: adds its address and release, and shortens long lists. */
export function shapeAnswer({ main, others = {} }: ToolAnswer): CallToolResult {
  const { value, shortened } = shorten(main.value, MAX_CHARACTERS)
  const isError = main.status >= 400
  const structured = {
    address: main.address,
    release: ofOntology.safeParse(main.value).data?.ontology ?? null,
    ...(isError ? { status: main.status, problem: value } : { answer: value }),
    ...(shortened.length > 0 && { shortened, rest: `All of it: ${main.address}` }),
    ...Object.fromEntries(Object.entries(others).map(([name, other]) => [name, shapeOther(other)])),
  }
  return { isError, content: [{ type: 'text', text: JSON.stringify(structured) }] }
}

function shapeOther({ address, value }: ApiAnswer): object {
  const { value: shown, shortened } = shorten(value, MAX_CHARACTERS / 4)
  return { address, answer: shown, ...(shortened.length > 0 && { shortened }) }
}

/** Shortens the lists of a value until its JSON has at most so many characters. Texts stay whole. */
export function shorten(value: unknown, most: number): { value: unknown; shortened: readonly ShortenedList[] } {
  if (JSON.stringify(value).length <= most) return { value, shortened: [] }
  let last: ReturnType<typeof shorten> = { value, shortened: [] }
  for (const length of LENGTHS) {
    const cuts = new Map<string, ShortenedList>()
    const shortened = cut(value, { length, path: '', cuts })
    last = { value: shortened, shortened: [...cuts.values()].slice(0, MAX_NAMED) }
    if (JSON.stringify(shortened).length <= most) return last
  }
  return last
}

function cut(
  value: unknown,
  { length, path, cuts }: { readonly length: number; readonly path: string; readonly cuts: Map<string, ShortenedList> },
): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    const shortenedList = cuts.get(path)
    // If several lists have the same path, the longest is named.
    if (items.length > length && (shortenedList === undefined || shortenedList.of < items.length))
      cuts.set(path, { list: path === '' ? 'answer' : path, shown: length, of: items.length })
    return items.slice(0, length).map((item) => cut(item, { length, path, cuts }))
  }
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    return [name, cut(member, { length, path: path === '' ? name : `${path}.${name}`, cuts })]
  })
  return Object.fromEntries(members)
}
