import { Refusal } from '../../../../platform/errors.ts'
import { shortenWords, type XmlElement, type XmlHandler } from '../../files/xml.ts'
import { EntryNodes, parseXmlFile } from '../entry-nodes.ts'
import type { ReferenceData } from '../items.ts'
import { CollectedEntries } from './collected-entries.ts'
import { filledOrNull } from './csv-cells.ts'
import { entryOf } from './xml-entry.ts'

/**
 * Reads the weaknesses, categories and views of CWE from MITRE's XML (`cwec_v4.17.xml`). Refuses another root
 * (`not_reference_data`), a catalogue without version or entries (`missing_field`), and everything that
 * `CollectedEntries` and `parseXmlFile` refuse.
 */
export function readCweXml(bytes: Uint8Array): ReferenceData {
  const handler = new CatalogHandler()
  parseXmlFile(bytes, handler)
  return handler.finish()
}

const ENTRIES = new Set(['Weakness', 'Category', 'View'])

class CatalogHandler implements XmlHandler {
  readonly #entries = new CollectedEntries()
  readonly #nodes = new EntryNodes()
  #root: XmlElement | null = null

  open(element: XmlElement): void {
    if (this.#root === null) {
      if (element.local !== 'Weakness_Catalog') {
        const detail = `The file has the root element ${shortenWords(element.local)}; expected Weakness_Catalog.`
        throw new Refusal('not_reference_data', detail)
      }
      this.#root = element
      return
    }
    const isEntry = element.uri === this.#root.uri && ENTRIES.has(element.local)
    if (this.#nodes.isInside || isEntry) this.#nodes.open(element)
  }

  text(text: string): void {
    this.#nodes.text(text)
  }

  close(): void {
    const node = this.#nodes.close()
    if (node !== null) this.#entries.add(entryOf(node), node.line)
  }

  finish(): ReferenceData {
    const read = (name: string): string | null => filledOrNull(this.#root?.attributes.get(name)?.trim())
    const version = read('Version')
    if (version === null)
      throw new Refusal('missing_field', 'The Weakness_Catalog does not state its Version (line 1).')
    if (this.#entries.size === 0) throw new Refusal('missing_field', 'The Weakness_Catalog has no Weakness.')
    return { kind: 'cwe', title: 'CWE', version, published: read('Date'), items: this.#entries.finish() }
  }
}
