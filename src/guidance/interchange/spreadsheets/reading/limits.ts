const MEGABYTE = 1_000_000

/** Of the file. */
export const MAX_FILE_BYTES = 50 * MEGABYTE
/** Of everything in a workbook that is read. */
export const MAX_UNPACKED_BYTES = 500 * MEGABYTE
/** Rows and columns of a worksheet in Excel, whether there is something in them or not. */
export const MAX_PASSED_ROWS = 1_048_576
export const MAX_COLUMNS = 16_384
/** Cells, whether there is something in them or not. */
export const MAX_PASSED_CELLS = 20 * MEGABYTE
/** Rows in which there is something. */
export const MAX_ROWS = 50_000
/** Cells in which there is something. */
export const MAX_CELLS = 2 * MEGABYTE
/** Characters of all cells that are used. */
export const MAX_CHARACTERS = 50 * MEGABYTE
/** Of one cell: Excel keeps no more. */
export const MAX_CELL_CHARACTERS = 32_767
/** Of one row of a CSV file, of one value of it, and of the names in its first row. */
export const MAX_RECORD_CHARACTERS = MEGABYTE
/** Merged ranges of a sheet. */
export const MAX_MERGES = 10_000
/** Distinct texts and formats of a workbook. */
export const MAX_STRINGS = MEGABYTE
export const MAX_FORMATS = 100_000
/** Characters of the records that are handed over at once: that takes about a millisecond. */
export const PART_CHARACTERS = 500_000
/** More warnings than this are counted, not named. */
export const MAX_WARNINGS = 100
