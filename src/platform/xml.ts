import { replaceForbidden } from './characters.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // Parsers would convert it to a line feed.
  '\r': '&#13;',
}

/** Escapes text between tags. Replaces characters that XML does not allow, which older versions have stored. */
export function escapeText(text: string): string {
  return replaceForbidden(text).replaceAll(/[&<>\r]/g, (character) => ENTITIES[character] ?? character)
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
}

/** Null attributes are left out. */
export type Attributes = Readonly<Record<string, string | null>>

/** An element with content that is XML already. */
export function element(name: string, attributes: Attributes, ...content: string[]): string {
  return `${startTag(name, attributes)}${content.join('')}</${name}>`
}

export function startTag(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === null ? '' : ` ${key}="${escapeAttribute(value)}"`,
  )
  return `<${name}${written.join('')}>`
}

/** An element with a text, which is escaped. */
export function textElement(name: string, text: string | null, attributes: Attributes = {}): string {
  return element(name, attributes, escapeText(text ?? ''))
}
