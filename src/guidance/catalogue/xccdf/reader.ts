import { Refusal } from '../../../platform/errors.ts'
import { decodeXml, type DocumentSource } from '../files/encoding.ts'
import { fileType, headOf } from '../files/file-type.ts'
import { MAX_BENCHMARKS, MAX_XML_BYTES, megabytes } from '../files/limits.ts'
import { parseXml, type XmlElement, type XmlHandler } from '../files/xml.ts'
import type { ReadBenchmark, ReadOptions } from './benchmark.ts'
import { BenchmarkDraft, type OpenGroup } from './draft.ts'
import type { XmlNode } from './node.ts'
import { checkRoot, isBenchmark, refuseResults } from './root.ts'

/**
 * Reads all Benchmarks of an XML document, in order: one in an XCCDF file, any number in SCAP data streams. Throws a
 * `Refusal` for the first invalid one. The document is read piece by piece; if a byte cannot be decoded, it is read
 * again to find the place.
 */
export function readBenchmarks(source: DocumentSource, options: ReadOptions): readonly ReadBenchmark[] {
  const head = headOf(source)
  if (fileType(head) === 'zip') {
    throw new Refusal('unsupported_file_type', 'The file is a zip, not XML.')
  }
  const handler = new BenchmarkHandler(options)
  parseXml(decodeXml(withinLimit(source), head), handler)
  if (handler.benchmarks.length > 0) return handler.benchmarks
  throw new Refusal('not_a_benchmark', 'The data streams hold no XCCDF benchmark.')
}

function withinLimit(source: DocumentSource): DocumentSource {
  return function* () {
    let size = 0
    for (const piece of source()) {
      size += piece.length
      if (size > MAX_XML_BYTES) throw xmlTooLarge()
      yield piece
    }
  }
}

export function xmlTooLarge(): Refusal {
  const limit = `the limit of ${megabytes(MAX_XML_BYTES)}`
  return new Refusal('too_large', `The XML file is larger than ${limit}.`)
}

/** Children of a Benchmark that are read. */
const HEADER = new Set('status title description version reference metadata plain-text'.split(' '))

interface OpenNode extends XmlNode {
  readonly content: (string | XmlNode)[]
}

/** An open element. A passed element is not kept in memory, but its children are read. */
type Frame =
  | { readonly kind: 'passed' }
  | { readonly kind: 'benchmark'; readonly draft: BenchmarkDraft }
  | { readonly kind: 'group'; readonly group: OpenGroup }
  | { readonly kind: 'part'; readonly node: OpenNode }
  | { readonly kind: 'kept'; readonly node: OpenNode; readonly onComplete: (node: XmlNode) => void }

/** Keeps only the elements of one rule in memory at a time. */
class BenchmarkHandler implements XmlHandler {
  readonly benchmarks: ReadBenchmark[] = []
  readonly #options: ReadOptions
  readonly #open: Frame[] = []
  #draft: BenchmarkDraft | null = null

  constructor(options: ReadOptions) {
    this.#options = options
  }

  open(element: XmlElement): void {
    if (this.#open.length === 0) checkRoot(element)
    this.#open.push(this.#draft === null ? this.#outside(element) : this.#inside(element, this.#draft))
  }

  text(text: string): void {
    const frame = this.#open.at(-1)
    if (frame?.kind === 'part' || frame?.kind === 'kept') frame.node.content.push(text)
  }

  close(): void {
    const frame = this.#open.pop()
    if (frame?.kind === 'kept') frame.onComplete(frame.node)
    if (frame?.kind !== 'benchmark') return
    this.benchmarks.push(frame.draft.finish(this.#options))
    this.#draft = null
  }

  #outside(element: XmlElement): Frame {
    if (!isBenchmark(element)) return { kind: 'passed' }
    if (this.benchmarks.length >= MAX_BENCHMARKS) {
      throw new Refusal('too_large', `More benchmarks than the limit of ${MAX_BENCHMARKS}.`)
    }
    this.#draft = new BenchmarkDraft(element)
    return { kind: 'benchmark', draft: this.#draft }
  }

  /** Rules and results are recognised at any depth. */
  #inside(element: XmlElement, draft: BenchmarkDraft): Frame {
    const name = element.uri === draft.uri ? element.local : ''
    if (name === 'TestResult') throw refuseResults(element.line)
    if (name === 'Rule') return this.#rule(element, draft)
    const parent = this.#open.at(-1)
    if (parent?.kind === 'part' || parent?.kind === 'kept') return partOf(parent.node, element)
    if (name === 'Group') return { kind: 'group', group: draft.openGroup(element) }
    return name === '' ? { kind: 'passed' } : headerFrame(element, parent, draft)
  }

  #rule(element: XmlElement, draft: BenchmarkDraft): Frame {
    const nearest = this.#open.findLast((frame) => frame.kind === 'group')
    return keepElement(element, (node) => {
      draft.addRule(node, nearest?.group ?? null)
    })
  }
}

function partOf(parent: OpenNode, element: XmlElement): Frame {
  const node = { ...element, content: [] }
  parent.content.push(node)
  return { kind: 'part', node }
}

function headerFrame(element: XmlElement, parent: Frame | undefined, draft: BenchmarkDraft): Frame {
  if (parent?.kind === 'benchmark' && HEADER.has(element.local)) {
    return keepElement(element, (node) => {
      draft.addHeader(node)
    })
  }
  if (parent?.kind !== 'group' || element.local !== 'title') return { kind: 'passed' }
  const { group } = parent
  return keepElement(element, (node) => {
    draft.titleGroup(group, node)
  })
}

function keepElement(element: XmlElement, onComplete: (node: XmlNode) => void): Frame {
  return { kind: 'kept', node: { ...element, content: [] }, onComplete }
}
