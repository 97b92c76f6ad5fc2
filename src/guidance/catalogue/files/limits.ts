const MEGABYTE = 1_000_000

/** Limit of an uploaded file: a whole DISA library is about 400 MB. Unpacked data has its own limits below. */
export const MAX_UPLOAD_BYTES = 500 * MEGABYTE

export const MAX_XML_BYTES = 50 * MEGABYTE
/** A domain of ATT&CK as STIX (JSON): enterprise has some 50 MB. */
export const MAX_STIX_BYTES = 150 * MEGABYTE

/** Limits of XML documents: real ones have up to 11 levels and some 25,000 elements. */
export const MAX_DEPTH = 64
export const MAX_ELEMENTS = 1_000_000
export const MAX_ATTRIBUTES = 256

/** Real benchmarks have ids up to 141, titles up to 731 and texts up to 34,000 characters. */
export const MAX_ID_LENGTH = 255
export const MAX_TITLE_LENGTH = 10_000
export const MAX_ATTRIBUTE_LENGTH = 65_536
export const MAX_TEXT_LENGTH = MEGABYTE
/** In characters: a text, comment, tag or any other part of an XML document. */
export const MAX_PART_LENGTH = 2 * MEGABYTE
export const MAX_RULES = 50_000
/** The limit holds for one document; SCAP files have one benchmark. Each is stored with the whole document. */
export const MAX_BENCHMARKS = 100

/** Limits of zips. The members that are read and the zips within a zip are counted separately. */
export const MAX_ENTRIES = 10_000
export const MAX_UNPACKED_BYTES = 500 * MEGABYTE
export const MAX_INNER_ZIP_BYTES = 100 * MEGABYTE
export const MAX_INNER_ZIPS_BYTES = 1000 * MEGABYTE
/** How many times larger than its compressed form a member may be, above a minimum size. */
export const MAX_RATIO = 200
export const RATIO_COUNTS_FROM = MEGABYTE
/** A zip, and zips in it. */
export const MAX_ZIP_DEPTH = 2

/** A limit in bytes, for messages. */
export function megabytes(bytes: number): string {
  return `${bytes / MEGABYTE} MB`
}

/** Any other limit, for messages: `50,000`. */
export function groupDigits(count: number): string {
  return count.toLocaleString('en-US')
}

/** The heap of the thread that reads uploads. */
export const MAX_HEAP_MEGABYTES = 192
