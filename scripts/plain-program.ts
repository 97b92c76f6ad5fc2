import type { Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { z } from 'zod'

/** What V8 runs with less: the same program, written in another way. */
export function plainProgram(): Plugin {
  return {
    name: 'plain-program',
    renderChunk(code, { fileName }, ...[, { magicString }]) {
      if (magicString === undefined) return null
      if (/String\.raw`[^`]*[^\0-\xff]/.test(code))
        this.error(`${fileName} has String.raw with a character that would be escaped`)
      for (const { start, end, text } of [...escapes(code), ...flattened(code)])
        if (text === '') magicString.remove(start, end)
        else magicString.overwrite(start, end, text)
      return { code: magicString }
    },
  }
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** V8 keeps the text of a program, with two bytes for each character where one of them needs that: those are escaped. */
function* escapes(code: string): Generator<Edit> {
  for (const { 0: found, 1: backslashes = '', index } of code.matchAll(/(\\*)[^\0-\xff]/gu)) {
    // A backslash that escapes the character would escape the one before `u`.
    const kept = backslashes.slice(backslashes.length % 2)
    const units = found.slice(backslashes.length).split('')
    const text = kept + units.map(escaped).join('')
    yield { start: index, end: index + found.length, text }
  }
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const node = z.looseObject({ type: z.string(), start: z.int(), end: z.int() })
const literal = node.extend({ type: z.literal('ObjectExpression'), properties: z.array(node) })
const spread = node.extend({ type: z.literal('SpreadElement'), argument: literal })
const property = node.extend({
  ...{ type: z.literal('Property'), kind: z.literal('init'), method: z.literal(false) },
  key: z.looseObject({ name: z.unknown(), value: z.unknown() }).partial(),
})

/**
 * `{ ...{ a, b }, c }` becomes `{ a, b, c }`: V8 describes each object that begins with a spread anew, which takes sixty
 * times as long, and more memory than the object.
 */
function* flattened(code: string): Generator<Edit> {
  for (const { argument, start, end } of spreadsIn(parseAst(code))) {
    const [first, last] = [argument.properties.at(0), argument.properties.at(-1)]
    if (first === undefined || last === undefined || !argument.properties.every(isPlain)) continue
    yield { start, end: first.start, text: '' }
    yield { start: last.end, end, text: '' }
  }
}

function spreadsIn(program: object): readonly z.output<typeof spread>[] {
  const found: z.output<typeof spread>[] = []
  const waiting: object[] = [program]
  for (let tree = waiting.pop(); tree !== undefined; tree = waiting.pop()) {
    if ('type' in tree && tree.type === 'SpreadElement' && 'argument' in tree) {
      // Of arrays and calls, too, but there is none of a literal.
      const one = spread.safeParse(tree).data
      if (one !== undefined) found.push(one)
    }
    const children: readonly unknown[] = Object.values(tree)
    for (const child of children)
      if (typeof child === 'object' && child !== null) waiting.push(child)
  }
  return found
}

/** Means the same in the object around it. */
function isPlain(member: z.output<typeof node>): boolean {
  if (member.type === 'SpreadElement') return true
  const found = property.safeParse(member).data
  return found !== undefined && found.key.name !== '__proto__' && found.key.value !== '__proto__'
}
