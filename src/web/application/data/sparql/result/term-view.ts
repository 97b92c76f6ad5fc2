import { cciPath } from '../../../catalogue/release-paths.ts'
import { compact, D3F, XSD } from '../../../parts/words/iris.ts'
import type { Term } from './results.ts'

/** A term as a cell shows it. */
export interface TermView {
  readonly text: string
  /** The language or the datatype, unless the text already shows it. */
  readonly note: string | null
  /** A path of this service; null without a page. */
  readonly path: string | null
  /** An address of another site. */
  readonly address: string | null
}

/** Identifiers that have a page, as a whole text. */
const IDENTIFIERS: readonly (readonly [RegExp, (id: string) => string])[] = [
  [/^T\d{4}(?:\.\d{3})?$/, (id) => `/offensive-technique/attack/${id}/`],
  [/^CWE-\d+$/, (id) => `/weakness/cwe/${id}/`],
  [/^CCI-\d{6}$/, cciPath],
  [/^D3-[A-Z]+$/, (id) => `/${id}`],
]

const SIMPLE = new Set([`${XSD}string`, `${XSD}integer`, `${XSD}decimal`, `${XSD}boolean`])

/** `base` is the address that IRIs of this service begin with. */
export function viewTerm(term: Term, base: string): TermView {
  if (term.type === 'uri') return viewIri(String(term.value), base)
  const text = term.type === 'triple' ? JSON.stringify(term.value) : String(term.value)
  if (term.type === 'bnode') return { text: `_:${text}`, note: null, path: null, address: null }
  return { text, note: noteOf(term), path: pageOfIdentifier(text), address: null }
}

function viewIri(iri: string, base: string): TermView {
  const path = pathOf(iri, base)
  const isAddress = path === null && /^https?:\/\//.test(iri)
  return { text: shortened(iri, base), note: null, path, address: isAddress ? iri : null }
}

function pathOf(iri: string, base: string): string | null {
  if (iri.startsWith(`${base}/`)) return iri.slice(base.length)
  if (!iri.startsWith(D3F)) return null
  const name = iri.slice(D3F.length)
  return pageOfIdentifier(name) ?? `/ontology/describe/d3f:${encodeURIComponent(name)}/`
}

function pageOfIdentifier(text: string): string | null {
  const [, page] = IDENTIFIERS.find(([pattern]) => pattern.test(text)) ?? []
  return page?.(text) ?? null
}

function shortened(iri: string, base: string): string {
  return iri.startsWith(`${base}/`) ? iri.slice(base.length) : compact(iri)
}

function noteOf(term: Term): string | null {
  const { 'xml:lang': language, datatype } = term
  if (language !== undefined) return language
  return datatype === undefined || SIMPLE.has(datatype) ? null : compact(datatype)
}
