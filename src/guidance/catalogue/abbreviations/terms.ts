import { foldText } from '../../../platform/characters.ts'
import { expansionOf } from './abbreviations.ts'

const MIN_LENGTH = 2

const EXTENSIONS =
  'conf cfg config ini yaml yml json xml properties txt log sh bash zsh rb py pl js ts c cpp h hpp java class jar sql'
const FILE_NAME = new RegExp(String.raw`^\w+\.(?:${EXTENSIONS.replaceAll(' ', '|')})$`, 'i')

/** Identifiers are searched as they are, not split into words. */
const IDENTIFIER = /^(?:T\d{4}(?:\.\d+)?|TA\d{4}|M\d{4}|CCI-\d{6}|\d+:\d+(?:\.\d+)*)$/i
const QUOTED = /"([^"]*)"|'([^']*)'/g

/**
 * The terms of a search text: a record matches if any of its fields contains any of them (docs/contract.md,
 * Abbreviations). Quoted phrases are used unchanged; otherwise short forms are expanded, and compounds such as `RHEL9`
 * and `web_server` are split.
 */
export function termsOf(text: string): readonly string[] {
  const query = text.trim()
  const phrases = Array.from(query.matchAll(QUOTED), (match) => (match[1] ?? match[2] ?? '').trim())
  const terms = phrases.some((phrase) => phrase !== '')
    ? [...phrases, ...wordsOf(query.replaceAll(QUOTED, ' '))]
    : expand(query)
  return [...new Set(terms)].filter((term) => term !== '')
}

/**
 * Returns a filter for the fields of a record. It accepts every record without a text, and none if the text is shorter
 * than two characters.
 */
export function matcherOf(text: string | undefined): (fields: readonly string[]) => boolean {
  if (text === undefined) return () => true
  if (Array.from(text.trim()).length < MIN_LENGTH) return () => false
  const terms = termsOf(text).map(foldText)
  return (fields) =>
    fields.some((field) => {
      const folded = foldText(field)
      return terms.some((term) => folded.includes(term))
    })
}

function expand(query: string): readonly string[] {
  const open = wordsOf(query).map(splitCompounds).join(' ')
  const fileName = FILE_NAME.test(open) ? [open.replace('.', ' ')] : []
  return [query, ...expansionsOf(query), open, ...expansionsOf(open), ...fileName]
}

function expansionsOf(query: string): readonly string[] {
  return wordsOf(query).flatMap((word) => expansionOf(word) ?? [])
}

/** `RedHat` → `Red Hat`, `RHEL-9` → `RHEL 9`. */
export function splitCompounds(word: string): string {
  if (IDENTIFIER.test(word)) return word
  return word
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replaceAll(/(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/gu, ' ')
    .replaceAll(/[-_]+/g, ' ')
    .trim()
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
