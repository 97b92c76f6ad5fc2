const MEGABYTE = 1_000_000

/** Of an archive. */
export const MAX_ARCHIVE_BYTES = 100 * MEGABYTE
/** Of one JSON file in it, and of all of them; SRGs have the limits of other uploads. */
export const MAX_JSON_BYTES = 50 * MEGABYTE
export const MAX_ALL_JSON_BYTES = 100 * MEGABYTE
/** Of the rules of all SRGs that an archive brings: they are in memory until all of it is stored. */
export const MAX_SRG_CHARACTERS = 100 * MEGABYTE
export const MAX_COMPONENTS = 500
/** Of one component. */
export const MAX_RULES = 50_000
export const MAX_REVIEWS = 100_000
/** Characters of JSON that are handed over at once: receiving them takes a few milliseconds. */
export const PART_CHARACTERS = 500_000
/** Rows that are written at once: SQLite runs on the thread that answers everybody else. */
export const CHUNK = 40
