import { decodeXml, type DocumentSource } from '../files/encoding.ts'
import { headOf } from '../files/file-type.ts'
import { parseXml } from '../files/xml.ts'

/** Finds the lines of rules and groups by their ids, in a valid document. */
export function linesOfRules(source: DocumentSource): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  parseXml(decodeXml(source, headOf(source)), {
    open: ({ local, line, attributes }) => {
      const id = local === 'Rule' || local === 'Group' ? attributes.get('id') : undefined
      if (id !== undefined && !lines.has(id)) lines.set(id, line)
    },
    text: () => undefined,
    close: () => undefined,
  })
  return lines
}
