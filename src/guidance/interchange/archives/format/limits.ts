const MEGABYTE = 1_000_000

/** The size of an archive. */
export const MAX_ARCHIVE_BYTES = 100 * MEGABYTE
/** The size of one JSON file, and of all; SRGs have the limits of other uploads. */
export const MAX_JSON_BYTES = 50 * MEGABYTE
export const MAX_ALL_JSON_BYTES = 100 * MEGABYTE
/** The size of all rules of an archive's SRGs, which are in memory until everything is stored. */
export const MAX_SRG_CHARACTERS = 100 * MEGABYTE
export const MAX_COMPONENTS = 500
/** Levels of one JSON file; an archive of ours has seven. */
export const MAX_DEPTH = 32
/** In one component. */
export const MAX_RULES = 50_000
export const MAX_REVIEWS = 100_000
/** Characters of JSON in one message of the thread: receiving them takes a few milliseconds. */
export const PART_CHARACTERS = 500_000
/** Rows that are inserted at once: SQLite blocks the thread that serves everybody else. */
export const BATCH_SIZE = 40
/** Characters of JSON that are inserted at once. */
export const CHUNK_CHARACTERS = 1_000_000
