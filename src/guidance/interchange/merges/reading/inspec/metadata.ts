import { CHECK_CONTENT } from '../../../../../tables/check-fields.ts'
import { DESCRIPTION_FIELDS, namesOf } from '../../../../../tables/field-lists.ts'
import type { Token } from './ruby/lexer.ts'

/** The parts of a control that identify its rule. */
export interface Metadata {
  readonly title: string | null
  /** The values of tags by name. */
  readonly tags: ReadonlyMap<string, readonly string[]>
}

export interface ControlCode {
  readonly source: string
  readonly tokens: readonly Token[]
  /** The characters between `do` and `end`. */
  readonly from: number
  readonly to: number
}

interface Range {
  readonly start: number
  readonly end: number
}

interface LeadingMetadata extends Metadata {
  /** Statements that exports write from fields. */
  readonly removed: readonly Range[]
  /** Whether code follows the metadata. */
  readonly hasCode: boolean
}

/** Tags that exports write from the fields of a rule, and ids by other publishers. */
const OWN_TAGS: ReadonlySet<string> = new Set(
  [
    'severity gtitle satisfies gid rid stig_id cci nist idents fix_id check_id group_id legacy check fix rationale'.split(
      ' ',
    ),
    namesOf(DESCRIPTION_FIELDS),
  ].flat(),
)

/** Descriptions that exports write. */
const OWN_DESCRIPTIONS: ReadonlySet<string> = new Set(['default', 'rationale', CHECK_CONTENT.inspec, 'fix'])

/** Declarations are not code, even if exports do not write them. */
const DECLARATIONS = new Set(['title', 'desc', 'impact', 'tag', 'ref'])

/**
 * Reads the metadata before the code of a control, and the places of statements that exports write. Other metadata,
 * such as `tag 'host'`, stays in the body, so that it is not lost.
 */
export function leadingMetadata(code: ControlCode): LeadingMetadata {
  const tags = new Map<string, readonly string[]>()
  const removed: Range[] = []
  let title: string | null = null
  for (const statement of statementsOf(code.tokens)) {
    const [word, ...others] = statement.tokens
    if (word === undefined) continue
    const values = withoutBrackets(others)
    if (!isDeclaration(word, values)) return { title, tags, removed, hasCode: true }
    if (word.text === 'title') title = textOf(values)
    const tagValues = word.text === 'tag' ? pairsOf(values) : null
    for (const [name, tagged] of tagValues ?? []) if (!tags.has(name)) tags.set(name, tagged)
    if (isOwn(word.text, values, tagValues)) removed.push(rangeOf(code, statement))
  }
  return { title, tags, removed, hasCode: false }
}

/** A declaration has only literal values: `impact 0.0 if …` is code. */
function isDeclaration({ kind, text }: Token, values: readonly Token[]): boolean {
  return kind === 'word' && DECLARATIONS.has(text) && values.every(isLiteral)
}

interface Statement {
  readonly tokens: readonly Token[]
  /** The index after its line and the texts of its heredocs. */
  readonly end: number | null
}

function* statementsOf(tokens: readonly Token[]): Generator<Statement, void> {
  const depth = tokens[0]?.depth ?? 0
  let from = 0
  for (const [index, token] of tokens.entries()) {
    if (token.depth !== depth || (token.kind !== 'end of statement' && token.text !== ';')) continue
    yield { tokens: tokens.slice(from, index), end: token.end }
    from = index + 1
  }
  yield { tokens: tokens.slice(from), end: null }
}

function withoutBrackets(tokens: readonly Token[]): readonly Token[] {
  return tokens[0]?.text === '(' && tokens.at(-1)?.text === ')' ? tokens.slice(1, -1) : tokens
}

const LITERAL_SIGNS = new Set([',', '=>', '[', ']', '{', '}', ':', '-', '+'])
const LITERAL_WORDS = new Set(['nil', 'true', 'false'])

/** Whether a token is part of a string, a number or a list of them. */
function isLiteral({ kind, text }: Token): boolean {
  if (kind === 'word') return LITERAL_WORDS.has(text)
  return kind !== 'sign' || LITERAL_SIGNS.has(text)
}

function isOwn(word: string, values: readonly Token[], tags: ReadonlyMap<string, unknown> | null): boolean {
  if (word === 'tag') return tags !== null && tags.size > 0 && [...tags.keys()].every((name) => OWN_TAGS.has(name))
  if (word === 'desc') return OWN_DESCRIPTIONS.has(labelOf(values))
  return word !== 'ref'
}

/** The name of a description. A description without one has the name `default`. */
function labelOf([label, next]: readonly Token[]): string {
  const isNamed = label?.kind === 'label' || next?.text === ',' || next?.text === '=>'
  return isNamed ? (nameOf(label) ?? '') : 'default'
}

function nameOf(token: Token | undefined): string | null {
  if (token === undefined) return null
  return token.kind === 'string' ? token.value : token.text.replaceAll(/^:|:$/g, '')
}

/** Joins adjacent strings, like Ruby. */
function textOf(values: readonly Token[]): string | null {
  const texts = values.map(({ kind, value }) => (kind === 'string' ? value : null))
  return texts.includes(null) || texts.length === 0 ? null : texts.join('')
}

/** Reads `gid: 'V-1', 'rid' => 'SV-1'`, with the strings of each value; null if a value has no name. */
function pairsOf(values: readonly Token[]): ReadonlyMap<string, readonly string[]> | null {
  const pairs = new Map<string, string[]>()
  let last: string[] | null = null
  for (const [index, token] of values.entries()) {
    if (isName(token, values[index + 1])) {
      last = []
      pairs.set(nameOf(token) ?? '', last)
    } else if (token.kind === 'sign') continue
    else if (last === null) return null
    else if (token.value !== null) last.push(token.value)
  }
  return pairs
}

function isName(token: Token, next: Token | undefined): boolean {
  return token.kind === 'label' || next?.text === '=>' || (token.kind === 'string' && next?.text === ':')
}

/** The range from the blanks before a statement to the end of its last line. */
function rangeOf({ source, from, to }: ControlCode, { tokens, end }: Statement): Range {
  const first = tokens[0]?.start ?? from
  let start = first
  while (start > from && /[ \t]/.test(source.charAt(start - 1))) start -= 1
  return { start, end: Math.min(end ?? to, to) }
}
