import { Refusal } from '../../../platform/errors.ts'
import { grouped, MAX_TEXT_LENGTH } from '../files/limits.ts'
import type { XmlElement } from '../files/xml.ts'

/** An element with all that is in it, in order. */
export interface XmlNode extends XmlElement {
  readonly content: readonly (string | XmlNode)[]
}

/** Child elements of a name, in the namespace of their parent unless told otherwise. */
export function childrenOf(node: XmlNode, local: string, uri = node.uri): readonly XmlNode[] {
  const found: XmlNode[] = []
  for (const part of node.content) {
    if (typeof part !== 'string' && part.local === local && part.uri === uri) found.push(part)
  }
  return found
}

/** Elements of a name at any depth, in document order, but not within one another. */
export function descendantsOf(node: XmlNode, local: string): readonly XmlNode[] {
  return node.content.flatMap((part) => {
    if (typeof part === 'string') return []
    return part.local === local && part.uri === node.uri ? [part] : descendantsOf(part, local)
  })
}

export function attributeOf(element: XmlElement, name: string): string | null {
  return element.attributes.get(name) ?? null
}

/**
 * The text of an element and of those within it; null where there is no character of it. Refuses
 * (`field_too_long`) more than the limit, calling it `field`.
 */
export function textOf(node: XmlNode | undefined, field: string): string | null {
  if (node === undefined) return null
  const text = joined(node)
  if (text.length > MAX_TEXT_LENGTH) throw tooLong(field, MAX_TEXT_LENGTH, node.line)
  return text === '' ? null : text
}

/** The same for values of one line: without blanks at the ends, and runs of them as one. */
export function lineOf(node: XmlNode | undefined, field: string): string | null {
  const line = oneLine(textOf(node, field) ?? '')
  return line === '' ? null : line
}

export function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

export function tooLong(field: string, limit: number, line: number): Refusal {
  const characters = `${grouped(limit)} characters`
  return new Refusal(
    'field_too_long',
    `${field} is longer than the limit of ${characters} (line ${line}).`,
  )
}

function joined(node: XmlNode): string {
  return node.content.map((part) => (typeof part === 'string' ? part : joined(part))).join('')
}
