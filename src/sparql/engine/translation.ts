import { z } from 'zod'
import { readNTriples } from '../../graph/syntax/n3.ts'
import { serialise } from '../../graph/syntax/serialise.ts'
import { SYNTAXES, type SyntaxName } from '../../graph/syntax/syntaxes.ts'
import type { ExchangesOf, Protocol } from '../../platform/threads/protocol.ts'
import { QUERY_FORMS } from '../query/read-query.ts'
import { encodeWithin } from '../threads/encode-within.ts'
import { readResults, writeResults } from './results.ts'

const translating = {
  translate: {
    question: z.object({
      form: z.enum(QUERY_FORMS),
      /** Results as JSON, a graph as N-Triples, in UTF-8. */
      body: z.instanceof(Uint8Array),
      /** Media type of the answer. */
      format: z.string(),
      maxRows: z.int(),
      maxBytes: z.int(),
    }),
    /** Null if the body cannot be read in its format. */
    answer: z.object({ body: z.instanceof(Uint8Array), rows: z.int() }).nullable(),
  },
}

export type TranslationExchanges = ExchangesOf<typeof translating>

export type TranslatedAnswer = TranslationExchanges['translate']['answer']

export const TRANSLATING: Protocol<TranslationExchanges> = translating

/** Rewrites an engine's answer as this service writes it, because engines differ in how they write the formats. */
export function translate(
  question: TranslationExchanges['translate']['question'],
): { readonly body: Uint8Array<ArrayBuffer>; readonly rows: number } | null {
  const written = write(question)
  if (written === null) return null
  return {
    body: encodeWithin(written.text, { ...question, rows: written.rows }),
    rows: written.rows,
  }
}

function write({ form, body, format }: TranslationExchanges['translate']['question']): {
  readonly text: string
  readonly rows: number
} | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    if (form === 'CONSTRUCT' || form === 'DESCRIBE') return { text: graphAs(text, format), rows: 0 }
    const results = readResults(text, form)
    return { text: writeResults(results, format), rows: results.rows.length }
  } catch {
    return null
  }
}

function graphAs(nTriples: string, mediaType: string): string {
  const names: readonly SyntaxName[] = ['turtle', 'nTriples', 'rdfXml', 'jsonLd']
  const syntax = names.find((name) => SYNTAXES[name].mediaType === mediaType)
  if (syntax === undefined) throw new Error(`Graphs are not written as ${mediaType}`)
  return [...serialise(readNTriples(nTriples), { syntax, prefixes: {} })].join('')
}
