import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { hasCode, messageOf } from '../../platform/errors.ts'
import { replaceFile } from '../../platform/files/replace-file.ts'
import { jsonIn } from '../../platform/json.ts'
import type { Segment } from './segment.ts'
import { StringList } from './string-list.ts'

/**
 * The file format of segments, so that a start need not read all records again: a digest of the rest, a line of JSON,
 * then the columns, aligned for their numbers. A file of another version of the program or another byte order is
 * ignored. A file with a wrong digest is damaged.
 */
const FORMAT = 'parapet-search-8'
const ALIGNMENT = 8
/** Hexadecimal characters of SHA-256. */
const DIGEST_LENGTH = 64
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

const columnHead = z.tuple([z.int().nonnegative(), z.int().nonnegative()])
const dumpHead = z.object({
  format: z.literal(FORMAT),
  isLittleEndian: z.literal(LITTLE_ENDIAN),
  about: z.unknown(),
  /** First byte and length of each column, by segment. */
  segments: z.array(z.record(z.string(), columnHead)),
})

/** Data that was dumped together with the segments. The reader has to check it. */
export interface Dump {
  readonly about: unknown
  readonly segments: readonly Segment[]
}

export async function writeDump(file: string, { about, segments }: Dump): Promise<void> {
  const parts: Uint8Array[] = []
  let length = 0
  const append = (column: ArrayBufferView): readonly [number, number] => {
    const start = length
    parts.push(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
    length += column.byteLength
    const padding = (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT
    parts.push(new Uint8Array(padding))
    length += padding
    return [start, column.byteLength]
  }
  const placedSegments = segments.map((segment) =>
    Object.fromEntries(Object.entries(columnsOf(segment)).map(([name, column]) => [name, append(column)])),
  )
  const body = Buffer.concat(parts)
  const head = { format: FORMAT, isLittleEndian: LITTLE_ENDIAN, about, segments: placedSegments }
  const dump = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body])
  await replaceFile(file, async (draft) => {
    await writeFile(draft, [Buffer.from(digestOf(dump)), dump], { mode: 0o600 })
  })
}

export interface ReadDump {
  /** Null if this program cannot use the dump. */
  readonly dump: Dump | null
  /** Why the file is damaged; null if it is intact or missing. */
  readonly damage: string | null
}

export async function readDump(file: string): Promise<ReadDump> {
  try {
    const bytes = await readFile(file)
    const content = bytes.subarray(DIGEST_LENGTH)
    if (bytes.subarray(0, DIGEST_LENGTH).toString() !== digestOf(content))
      return { dump: null, damage: 'The digest in the file is not that of its content.' }
    return { dump: dumpIn(content), damage: null }
  } catch (error) {
    return { dump: null, damage: hasCode(error, 'ENOENT') ? null : messageOf(error) }
  }
}

function dumpIn(content: Buffer): Dump | null {
  const end = content.indexOf('\n')
  const head = dumpHead.safeParse(jsonIn(content.subarray(0, Math.max(0, end)).toString())).data
  if (head === undefined) return null
  const body = content.subarray(end + 1)
  return { about: head.about, segments: head.segments.map((columns) => segmentOf(body, columns)) }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function columnsOf({ words, ...columns }: Segment): Readonly<Record<string, ArrayBufferView>> {
  return { ...columns, wordBytes: words.bytes, wordStarts: words.starts }
}

/**
 * Copies the bytes, so that they are aligned and can be freed with the segment, independent of the rest of the dump.
 */
function segmentOf(body: Uint8Array, columns: z.infer<typeof dumpHead>['segments'][number]): Segment {
  const ranges = Object.values(columns)
  const from = Math.min(...ranges.map(([start]) => start))
  const end = Math.max(...ranges.map(([start, length]) => start + length))
  const { buffer } = new Uint8Array(body.subarray(from, end))
  const rangeOf = (name: string): readonly [number, number] => {
    const [start, length] = columns[name] ?? [from, 0]
    return [start - from, length]
  }
  const bytes = (name: string): Uint8Array => new Uint8Array(buffer, ...rangeOf(name))
  const shorts = (name: string): Uint16Array => {
    const [from, length] = rangeOf(name)
    return new Uint16Array(buffer, from, length / 2)
  }
  const longs = (name: string): Uint32Array => {
    const [from, length] = rangeOf(name)
    return new Uint32Array(buffer, from, length / 4)
  }
  const [keysFrom, keysLength] = rangeOf('keys')
  return {
    words: new StringList(bytes('wordBytes'), longs('wordStarts')),
    starts: longs('starts'),
    records: longs('records'),
    worths: shorts('worths'),
    fields: shorts('fields'),
    keys: new Float64Array(buffer, keysFrom, keysLength / 8),
    owners: longs('owners'),
    severities: bytes('severities'),
    folds: longs('folds'),
    textStarts: longs('textStarts'),
    texts: bytes('texts'),
  }
}
