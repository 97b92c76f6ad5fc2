import { leadingMetadata, type ControlCode, type Metadata } from './metadata.ts'
import { LineCounter, RubyFault } from './ruby/fault.ts'
import { tokensOf, type Token } from './ruby/lexer.ts'

/** An InSpec control as a file has it. */
export interface InspecControl extends Metadata {
  readonly name: string
  /** The line on which it begins. */
  readonly line: number
  /** The code, without metadata that exports write from the fields of a rule; null if there is none. */
  readonly body: string | null
}

export interface ControlFile {
  readonly controls: readonly InspecControl[]
  /** The lines of controls whose name depends on code. */
  readonly unnamed: readonly number[]
}

/** Reads the controls of a Ruby file without running it. Throws a {@link RubyFault}. */
export function controlsOf(source: string): ControlFile {
  const tokens = tokensOf(source)
  const controls: InspecControl[] = []
  const unnamed: number[] = []
  const lines = new LineCounter(source)
  for (let index = 0; index < tokens.length; index += 1) {
    const head = headAt(tokens, index)
    if (head === null) continue
    const line = lines.lineAt(tokens[index]?.start ?? 0)
    const end = endOf(tokens, head.open)
    const inner = tokens.slice(head.open + 1, end)
    const body = { source, tokens: inner, from: tokens[head.open]?.end ?? 0, to: tokens[end]?.start ?? source.length }
    if (head.name === null) unnamed.push(line)
    else controls.push({ name: head.name, line, ...readBody(body) })
    index = end
  }
  return { controls, unnamed }
}

interface ControlHead {
  /** Null if the name depends on code. */
  readonly name: string | null
  /** The index of the token `do` or `{`. */
  readonly open: number
}

/** Finds `control 'name' do` at the beginning of a statement. */
function headAt(tokens: readonly Token[], index: number): ControlHead | null {
  if (!isWord(tokens[index], 'control') || !isStart(tokens[index - 1])) return null
  const brackets = tokens[index + 1]?.text === '(' ? 1 : 0
  const name = tokens[index + 1 + brackets]
  const open = index + 2 + 2 * brackets
  return name?.kind === 'string' && isOpening(tokens[open]) ? { name: name.value, open } : null
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text === word
}

function isOpening(token: Token | undefined): boolean {
  return isWord(token, 'do') || (token?.kind === 'sign' && token.text === '{')
}

function isStart(before: Token | undefined): boolean {
  return before === undefined || before.kind === 'end of statement' || before.text === ';' || isWord(before, 'do')
}

function endOf(tokens: readonly Token[], open: number): number {
  const depth = tokens[open]?.depth ?? 0
  let end = open + 1
  while (end < tokens.length && tokens[end]?.depth !== depth) end += 1
  return end
}

function readBody(code: ControlCode): Metadata & Pick<InspecControl, 'body'> {
  const { removed, hasCode, title, tags } = leadingMetadata(code)
  let [body, position] = ['', code.from]
  for (const { start, end } of removed) {
    body += code.source.slice(position, start)
    position = end
  }
  body += code.source.slice(position, code.to)
  return { title, tags, body: hasCode ? body.replace(/^(?:[ \t]*\n)+/, '').trimEnd() : null }
}

/** The code that an import would read from the exported control of a rule with this body. */
export function reimportedCode(body: string): string | null {
  return codeInFile(`control 'x' do\n${body}\nend\n`)
}

/** The code of the control in a file; null unless there is exactly one. */
export function codeInFile(file: string): string | null {
  try {
    return controlsOf(file.replaceAll('\r\n', '\n')).controls[0]?.body ?? null
  } catch (error) {
    if (error instanceof RubyFault) return null
    throw error
  }
}
