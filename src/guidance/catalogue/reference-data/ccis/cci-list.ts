import { Refusal } from '../../../../platform/errors.ts'
import { groupDigits } from '../../files/limits.ts'
import { shortenWords, type XmlElement, type XmlHandler } from '../../files/xml.ts'
import { attributeOf, childrenOf, textOf, type XmlNode } from '../../xccdf/node.ts'
import { EntryNodes, parseXmlFile } from '../entry-nodes.ts'
import { cciSchema, MAX_ITEMS, type Cci, type Reference, type ReferenceData } from '../items.ts'

const TITLE = 'Control Correlation Identifier (CCI) list'

/**
 * Reads DISA's list of CCIs. Refuses, with the line or the CCI: another root (`not_reference_data`), an item without id
 * or definition, a list without version or items (`missing_field`), an id that is not a CCI (`invalid_id`) or a
 * duplicate (`duplicate_item_id`), and everything that `parseXmlFile` refuses.
 */
export function readCciList(bytes: Uint8Array): ReferenceData {
  const handler = new CciListHandler()
  parseXmlFile(bytes, handler)
  return handler.finish()
}

class CciListHandler implements XmlHandler {
  readonly #items = new Map<string, Cci>()
  /** The nodes of the open item or of the metadata. */
  readonly #nodes = new EntryNodes()
  #uri: string | null = null
  #metadata: XmlNode | null = null

  open(element: XmlElement): void {
    if (this.#uri === null) {
      requireRoot(element)
      this.#uri = element.uri
      return
    }
    if (this.#nodes.isInside || this.#isRead(element)) this.#nodes.open(element)
  }

  text(text: string): void {
    this.#nodes.text(text)
  }

  close(): void {
    const node = this.#nodes.close()
    if (node === null) return
    if (node.local === 'metadata') this.#metadata ??= node
    else this.#add(node)
  }

  finish(): ReferenceData {
    const version = this.#ofMetadata('version')
    if (version === null) throw new Refusal('missing_field', 'The CCI list does not state its version (metadata).')
    if (this.#items.size === 0) throw new Refusal('missing_field', 'The CCI list has no cci_item.')
    const published = this.#ofMetadata('publishdate')
    return { kind: 'cci_list', title: TITLE, version, published, items: [...this.#items.values()] }
  }

  #isRead({ uri, local }: XmlElement): boolean {
    return uri === this.#uri && (local === 'cci_item' || local === 'metadata')
  }

  #ofMetadata(local: string): string | null {
    return this.#metadata === null ? null : (textsOf(this.#metadata, local)[0] ?? null)
  }

  #add(node: XmlNode): void {
    const item = readItem(node)
    if (this.#items.has(item.id)) {
      const detail = `The CCI "${item.id}" is in the list twice (line ${node.line}).`
      throw new Refusal('duplicate_item_id', detail)
    }
    if (this.#items.size >= MAX_ITEMS)
      throw new Refusal('too_large', `The list has more items than the limit of ${groupDigits(MAX_ITEMS)}.`)
    // Copied, because parts of long texts would keep the whole texts in memory.
    this.#items.set(item.id, structuredClone(item))
  }
}

function requireRoot({ local }: XmlElement): void {
  if (local === 'cci_list') return
  const detail = `The file has the root element ${shortenWords(local)}; expected cci_list.`
  throw new Refusal('not_reference_data', detail)
}

function readItem(node: XmlNode): Cci {
  const id = attributeOf(node, 'id')?.trim() ?? ''
  const location = id === '' ? `the cci_item in line ${node.line}` : `${shortenWords(id)} (line ${node.line})`
  const first = (local: string): string | null => textsOf(node, local)[0] ?? null
  const parsed = cciSchema.safeParse({
    id,
    status: first('status'),
    published: first('publishdate'),
    contributor: first('contributor'),
    definition: first('definition') ?? '',
    types: textsOf(node, 'type'),
    parameters: textsOf(node, 'parameter'),
    notes: textsOf(node, 'note'),
    references: childrenOf(node, 'references').flatMap((list) => childrenOf(list, 'reference').map(readReference)),
  })
  if (parsed.success) return parsed.data
  if (id === '') throw new Refusal('missing_field', `The id is missing: ${location}.`)
  const field = String(parsed.error.issues[0]?.path[0])
  if (field === 'id') throw new Refusal('invalid_id', `The id of an item must be like CCI-000366, but is ${location}.`)
  throw new Refusal('missing_field', `The ${field} is missing: ${location}.`)
}

function readReference(element: XmlElement): Reference {
  const value = (name: string): string | null => attributeOf(element, name)
  return {
    creator: value('creator'),
    title: value('title'),
    version: value('version'),
    location: value('location'),
    index: value('index'),
  }
}

/** Returns the trimmed texts of child elements, without empty ones. */
function textsOf(node: XmlNode, local: string): readonly string[] {
  return childrenOf(node, local)
    .map((child) => textOf(child, local)?.trim() ?? '')
    .filter((text) => text !== '')
}
