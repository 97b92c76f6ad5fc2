import { Refusal } from '../../../platform/errors.ts'
import { groupDigits, MAX_TEXT_LENGTH } from '../files/limits.ts'
import type { XmlElement } from '../files/xml.ts'

/** An element with all its content, in order. */
export interface XmlNode extends XmlElement {
  readonly content: readonly (string | XmlNode)[]
}

/** Child elements with a name, by default in the namespace of their parent. */
export function childrenOf(node: XmlNode, local: string, uri = node.uri): readonly XmlNode[] {
  const nodes: XmlNode[] = []
  for (const part of node.content) {
    if (typeof part !== 'string' && part.local === local && part.uri === uri) nodes.push(part)
  }
  return nodes
}

/** Elements with a name at any depth, in document order, but not nested ones. */
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
 * Returns the text of an element and its descendants; null if it is empty. Refuses a text beyond the limit
 * (`field_too_long`), naming it `field`.
 */
export function textOf(node: XmlNode | undefined, field: string): string | null {
  if (node === undefined) return null
  const text = joinContent(node)
  if (text.length > MAX_TEXT_LENGTH) throw tooLong(field, MAX_TEXT_LENGTH, node.line)
  return text === '' ? null : text
}

/** Returns the text on one line: trimmed, with runs of blanks as one. */
export function lineOf(node: XmlNode | undefined, field: string): string | null {
  const line = oneLine(textOf(node, field) ?? '')
  return line === '' ? null : line
}

export function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

export function tooLong(field: string, limit: number, line: number): Refusal {
  const characters = `${groupDigits(limit)} characters`
  return new Refusal('field_too_long', `${field} is longer than the limit of ${characters} (line ${line}).`)
}

function joinContent(node: XmlNode): string {
  return node.content.map((part) => (typeof part === 'string' ? part : joinContent(part))).join('')
}
