import type { Plugin } from 'rolldown'

/**
 * Escapes all characters beyond Latin-1. V8 keeps the text of a program in memory; with one such character, it uses two
 * bytes for each.
 */
export function escapeCharacters(): Plugin {
  return {
    name: 'escape-characters',
    renderChunk(code, { fileName }, _output, { magicString }) {
      if (magicString === undefined) return null
      if (/String\.raw`[^`]*[^\0-\xff]/.test(code))
        this.error(`${fileName} has String.raw with a character that would be escaped`)
      for (const { 0: match, 1: backslashes = '', index } of code.matchAll(/(\\*)[^\0-\xff]/gu)) {
        // A backslash that escapes the character would escape the one before `u`.
        const keptBackslash = backslashes.slice(backslashes.length % 2)
        const units = match.slice(backslashes.length).split('')
        magicString.overwrite(index, index + match.length, keptBackslash + units.map(escaped).join(''))
      }
      return { code: magicString }
    },
  }
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
