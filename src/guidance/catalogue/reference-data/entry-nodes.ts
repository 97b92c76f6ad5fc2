import { decodeXml } from '../files/encoding.ts'
import { HEAD_BYTES } from '../files/file-type.ts'
import { piecesOf } from '../files/pieces.ts'
import { parseXml, type XmlElement, type XmlHandler } from '../files/xml.ts'
import type { XmlNode } from '../xccdf/node.ts'

/** Parses an XML document. Refuses everything that `decodeXml` and `parseXml` refuse. */
export function parseXmlFile(bytes: Uint8Array, handler: XmlHandler): void {
  const head = bytes.subarray(0, HEAD_BYTES)
  parseXml(
    decodeXml(() => piecesOf(bytes), head),
    handler,
  )
}

/** Keeps the elements of one entry at a time. */
export class EntryNodes {
  readonly #open: (XmlNode & { readonly content: (string | XmlNode)[] })[] = []

  /** Whether an entry is open. */
  get isInside(): boolean {
    return this.#open.length > 0
  }

  open(element: XmlElement): void {
    const node = { ...element, content: [] }
    this.#open.at(-1)?.content.push(node)
    this.#open.push(node)
  }

  text(text: string): void {
    this.#open.at(-1)?.content.push(text)
  }

  /** Ends the current element. Returns the entry if it ended too, else null. */
  close(): XmlNode | null {
    const node = this.#open.pop()
    return node === undefined || this.isInside ? null : node
  }
}
