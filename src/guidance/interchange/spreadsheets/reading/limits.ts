const MEGABYTE = 1_000_000

/** The size of the file. */
export const MAX_FILE_BYTES = 50 * MEGABYTE
/** The size of everything that is unpacked from a workbook. */
export const MAX_UNPACKED_BYTES = 500 * MEGABYTE
/** Excel's rows and columns of a worksheet, blank ones included. */
export const MAX_PASSED_ROWS = 1_048_576
export const MAX_COLUMNS = 16_384
/** Cells, blank ones included. */
export const MAX_PASSED_CELLS = 20 * MEGABYTE
/** Rows that are not blank. */
export const MAX_ROWS = 50_000
/** Cells that are not blank. */
export const MAX_CELLS = 2 * MEGABYTE
/** Characters in all cells that are used. */
export const MAX_CHARACTERS = 50 * MEGABYTE
/** Characters in a cell: Excel's own limit. */
export const MAX_CELL_CHARACTERS = 32_767
/** Characters in one row of a CSV file, in one of its values, and in its headers. */
export const MAX_RECORD_CHARACTERS = MEGABYTE
/** Merged ranges in a sheet. */
export const MAX_MERGES = 10_000
/** Distinct texts and formats in a workbook. */
export const MAX_STRINGS = MEGABYTE
export const MAX_FORMATS = 100_000
/** Characters in one message of the thread: receiving them takes about a millisecond. */
export const PART_CHARACTERS = 500_000
/** Further warnings are only counted. */
export const MAX_WARNINGS = 100
