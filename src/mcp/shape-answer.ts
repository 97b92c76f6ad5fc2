import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ApiAnswer } from './ask.ts'
import { shorten } from './shorten.ts'
import type { ToolAnswer } from './tools/tool.ts'

/** Characters of the JSON of an answer: some 20,000 tokens. */
export const MAX_CHARACTERS = 60_000

const ofOntology = z.object({ ontology: z.object({ version: z.string(), digest: z.string() }) })

/** Shapes an answer of the API for a tool: adds its address and release, and shortens long lists. */
export function shapeAnswer({ main, others = {} }: ToolAnswer): CallToolResult {
  const { value, shortened } = shorten(main.value, MAX_CHARACTERS)
  const isError = main.status >= 400
  const shown = {
    address: main.address,
    release: ofOntology.safeParse(main.value).data?.ontology ?? null,
    ...(isError ? { status: main.status, problem: value } : { answer: value }),
    ...(shortened.length > 0 && { shortened, rest: `All of it: ${main.address}` }),
    ...Object.fromEntries(Object.entries(others).map(([name, other]) => [name, shapeOther(other)])),
  }
  return { isError, content: [{ type: 'text', text: JSON.stringify(shown) }] }
}

function shapeOther({ address, value }: ApiAnswer): object {
  const { value: shown, shortened } = shorten(value, MAX_CHARACTERS / 4)
  return { address, answer: shown, ...(shortened.length > 0 && { shortened }) }
}
