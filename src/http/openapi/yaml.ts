import { Pace } from '../../platform/concurrency/turns.ts'

/** Texts that YAML reads as themselves without quotes: words, beginning and ending with a letter or digit. */
const PLAIN = /^[A-Za-z_](?:[\w ./-]*\w)?$/
/** Words that YAML 1.1 or 1.2 reads as something else than text. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null)$/i

/**
 * Writes a value of JSON as YAML, line by line. Quoted texts are those of JSON, which YAML 1.2 contains. Others are
 * answered while a long document is written.
 */
export async function toYaml(value: unknown): Promise<string> {
  const lines: string[] = []
  const pace = new Pace()
  for (const line of linesOf(value, '', '')) {
    lines.push(line)
    await pace.rest()
  }
  return `${lines.join('\n')}\n`
}

/** `head` stands before the first line: a key, or the dash of an item. `indent` stands before the others. */
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
