import { Refusal } from '../../../../platform/errors.ts'
import { decodeXml } from '../../files/encoding.ts'
import { HEAD_BYTES } from '../../files/file-type.ts'
import { piecesOf } from '../../files/pieces.ts'
import { parseXml, shortenWords, type XmlElement, type XmlHandler } from '../../files/xml.ts'
import type { XmlNode } from '../../xccdf/node.ts'
import type { ReferenceData } from '../items.ts'
import { CollectedEntries } from './collected-entries.ts'
import { filledOrNull } from './csv-cells.ts'
import { entryOf } from './xml-entry.ts'

/**
 * CWE as MITRE publishes it (`cwec_v4.17.xml`): weaknesses, categories and views. Refuses another root
 * (`not_reference_data`), a catalogue without version or entries (`missing_field`), and all that `CollectedEntries`,
 * `decodeXml` and `parseXml` refuse.
 */
export function readCweXml(bytes: Uint8Array): ReferenceData {
  const handler = new CatalogHandler()
  parseXml(
    decodeXml(() => piecesOf(bytes), bytes.subarray(0, HEAD_BYTES)),
    handler,
  )
  return handler.finish()
}

interface OpenNode extends XmlNode {
  readonly content: (string | XmlNode)[]
}

const ENTRIES = new Set(['Weakness', 'Category', 'View'])

/** Keeps the elements of one entry at a time. */
class CatalogHandler implements XmlHandler {
  readonly #entries = new CollectedEntries()
  readonly #nodes: OpenNode[] = []
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
    const parent = this.#nodes.at(-1)
    if (parent === undefined && !(element.uri === this.#root.uri && ENTRIES.has(element.local))) return
    const node = { ...element, content: [] }
    parent?.content.push(node)
    this.#nodes.push(node)
  }

  text(text: string): void {
    this.#nodes.at(-1)?.content.push(text)
  }

  close(): void {
    const node = this.#nodes.pop()
    if (node !== undefined && this.#nodes.length === 0) this.#entries.add(entryOf(node), node.line)
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
