const MEGABYTE = 1_000_000

/** Of one XML document, in bytes. */
export const MAX_XML_BYTES = 50 * MEGABYTE

/** Of XML documents: real ones have up to 11 levels and some 25,000 elements. */
export const MAX_DEPTH = 64
export const MAX_ELEMENTS = 1_000_000
export const MAX_ATTRIBUTES = 256

/** Of benchmarks: real ones have ids up to 141, titles up to 731 and texts up to 34,000 characters. */
export const MAX_ID_LENGTH = 255
export const MAX_TITLE_LENGTH = 10_000
export const MAX_ATTRIBUTE_LENGTH = 65_536
export const MAX_TEXT_LENGTH = MEGABYTE
/** Of a text, comment, tag or anything else of an XML document, in characters. */
export const MAX_PART_LENGTH = 2 * MEGABYTE
export const MAX_RULES = 50_000
/** Of one document; a SCAP file has one. Each is stored with the whole of its document. */
export const MAX_BENCHMARKS = 100

/** Of zips. The members that are read and the zips within one are counted apart. */
export const MAX_ENTRIES = 10_000
export const MAX_UNPACKED_BYTES = 500 * MEGABYTE
export const MAX_INNER_ZIP_BYTES = 100 * MEGABYTE
export const MAX_INNER_ZIPS_BYTES = 1000 * MEGABYTE
/** How many times larger than its compressed form a member may be, from a size on. */
export const MAX_RATIO = 200
export const RATIO_COUNTS_FROM = MEGABYTE
/** A zip, and zips in it. */
export const MAX_ZIP_DEPTH = 2

/** How a limit in bytes is called in a message. */
export function megabytes(bytes: number): string {
  return `${bytes / MEGABYTE} MB`
}

/** How any other limit is called in a message: `50,000`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

/** Of the thread that reads, for its heap. */
export const MAX_HEAP_MEGABYTES = 192
