const MEGABYTE = 1_000_000

/** The size of an archive in bytes. */
export const MAX_ARCHIVE_BYTES = 100 * MEGABYTE
/** The sizes in bytes of one JSON file, and of all. SRGs have the limits of other uploads. */
export const MAX_JSON_BYTES = 50 * MEGABYTE
export const MAX_ALL_JSON_BYTES = 100 * MEGABYTE
/** The size of all rules in an archive's SRGs, which stay in memory until everything is stored. */
export const MAX_SRG_CHARACTERS = 100 * MEGABYTE
export const MAX_COMPONENTS = 500
/** The depth of nesting in a JSON file. Archives of Parapet have seven levels. */
export const MAX_DEPTH = 32
/** The number of rules in one component. */
export const MAX_RULES = 50_000
export const MAX_REVIEWS = 100_000
/** The number of JSON characters in one message from the thread, which takes a few milliseconds to receive. */
export const PART_CHARACTERS = 500_000
/** The number of rows to insert at once. SQLite blocks the thread that serves all requests. */
export const BATCH_SIZE = 40
/** The number of JSON characters to insert at once. */
export const CHUNK_CHARACTERS = 1_000_000
