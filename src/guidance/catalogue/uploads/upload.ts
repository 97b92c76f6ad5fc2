import { closeSync, openSync, readSync } from 'node:fs'
import { Refusal, type RefusalCode } from '../../../platform/errors.ts'
import type { DocumentSource } from '../files/encoding.ts'
import { fileType } from '../files/file-type.ts'
import { MAX_XML_BYTES } from '../files/limits.ts'
import { PIECE_BYTES, piecesOf } from '../files/pieces.ts'
import { readHead } from '../files/read-head.ts'
import type { Benchmark, ReadWarning, ReadBenchmark, ReadOptions } from '../xccdf/benchmark.ts'
import { readBenchmarks, xmlTooLarge } from '../xccdf/reader.ts'
import { type PackageMember, readPackage } from './package.ts'

/** The position of an item in its file. */
export interface ItemPosition {
  /** The path within the zip and inner zips, with `/`; null for an XML file. */
  readonly member: string | null
  /** The number of items so far, including this one. */
  readonly done: number
  /** The number of items; it grows when a document of a zip has several benchmarks. */
  readonly total: number
}

export interface ReadItem extends ItemPosition {
  readonly kind: 'read'
  readonly benchmark: Benchmark
  readonly warnings: readonly ReadWarning[]
  /** The XML document as it was uploaded; all benchmarks of a data stream share it. */
  readonly source: DocumentSource
}

export interface RefusedItem extends ItemPosition {
  /** Skipped: not a benchmark, but for example results or a checklist. */
  readonly kind: 'refused' | 'skipped'
  readonly code: RefusalCode
  readonly detail: string
}

export type UploadItem = ReadItem | RefusedItem

/**
 * Yields the benchmarks of an XML file, a package or a library, recognised by their bytes, one at a time and without
 * reading ahead. An unreadable member of a zip is yielded as an item. Any other fault ends the reading with a
 * `Refusal`, for an XML file always before the first item.
 */
export async function* readUploadHere(file: string, options: ReadOptions): AsyncGenerator<UploadItem, void> {
  const { head, size } = await readHead(file)
  if (fileType(head) === 'zip') {
    yield* readZip(file, options)
    return
  }
  if (size > MAX_XML_BYTES) throw xmlTooLarge()
  const source = (): Iterable<Uint8Array> => piecesOfFile(file)
  const items = toItems(readBenchmarks(source, options), source)
  let done = 0
  for (const { remaining, ...content } of items) {
    done += 1
    yield { member: null, done, total: done + remaining, ...content }
  }
}

/** Reads the file again each time, so that it need not stay in memory. */
function* piecesOfFile(file: string): Generator<Uint8Array, void> {
  const descriptor = openSync(file, 'r')
  try {
    for (;;) {
      const piece = new Uint8Array(PIECE_BYTES)
      const size = readSync(descriptor, piece)
      if (size === 0) return
      yield piece.subarray(0, size)
    }
  } finally {
    closeSync(descriptor)
  }
}

async function* readZip(file: string, options: ReadOptions): AsyncGenerator<UploadItem, void> {
  const pendingCount = { pending: 0 }
  let done = 0
  for await (const member of readPackage(file, pendingCount)) {
    for (const { remaining, ...content } of readMember(member, options)) {
      done += 1
      yield { member: member.member, done, total: done + remaining + pendingCount.pending, ...content }
    }
  }
}

/** An item without its position. `remaining` is the number of further items in its document. */
type ItemContent<Item> = Omit<Item, keyof ItemPosition> & { readonly remaining: number }

/** All benchmarks of a document are read, or none. */
function readMember(
  member: PackageMember,
  options: ReadOptions,
): Iterable<ItemContent<ReadItem> | ItemContent<RefusedItem>> {
  if (member.kind !== 'xml') return [refusedItem(member)]
  try {
    const source = (): Iterable<Uint8Array> => piecesOf(member.bytes)
    return toItems(readBenchmarks(source, options), source)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [refusedItem({ kind: 'refused', code: error.code, detail: error.message })]
  }
}

function refusedItem({ kind, code, detail }: Omit<RefusedItem, keyof ItemPosition>): ItemContent<RefusedItem> {
  return { kind, code, detail, remaining: 0 }
}

function* toItems(benchmarks: readonly ReadBenchmark[], source: DocumentSource): Generator<ItemContent<ReadItem>> {
  for (const [index, read] of benchmarks.entries())
    yield { kind: 'read', ...read, source, remaining: benchmarks.length - index - 1 }
}
