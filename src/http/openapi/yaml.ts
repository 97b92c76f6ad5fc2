import { Pauses } from '../../platform/concurrency/turns.ts'

/** Texts that need no quotes in YAML: words that begin and end with a letter or digit. */
const PLAIN = /^[A-Za-z_](?:[\w ./-]*\w)?$/
/** Words that a parser of YAML 1.1 or 1.2 does not read as text; some read `E0` as a number. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|e\d+)$/i

/**
 * Writes a value of JSON as YAML, line by line. Quoted texts are written as in JSON, which YAML 1.2 contains. Other
 * requests are answered while a long document is written.
 */
export async function toYaml(value: unknown): Promise<string> {
  const lines: string[] = []
  const pauses = new Pauses()
  for (const line of linesOf(value, '', '')) {
    lines.push(line)
    await pauses.rest()
  }
  return `${lines.join('\n')}\n`
}

/** `head` (a key, or the dash of an item) begins the first line, `indent` all others. */
function* linesOf(value: unknown, head: string, indent: string): Generator<string, void> {
  if (Array.isArray(value) && value.length > 0) {
    if (head !== '') yield head.trimEnd()
    for (const item of value) yield* linesOf(item, `${indent}- `, `${indent}  `)
  } else if (isFilled(value)) {
    if (head !== '') yield head.trimEnd()
    for (const [key, entry] of Object.entries(value)) yield* linesOf(entry, `${indent}${scalar(key)}: `, `${indent}  `)
  } else {
    yield `${head}${scalar(value)}`
  }
}

function isFilled(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function scalar(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) && !RESERVED.test(value) ? value : JSON.stringify(value)
}
