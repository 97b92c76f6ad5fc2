const MEGABYTE = 1_000_000

/** The size of the file in bytes. */
export const MAX_FILE_BYTES = 50 * MEGABYTE
/** The size of all unpacked parts of a workbook, in bytes. */
export const MAX_UNPACKED_BYTES = 500 * MEGABYTE
/** Excel's limits for rows and columns of a worksheet, including blank ones. */
export const MAX_PASSED_ROWS = 1_048_576
export const MAX_COLUMNS = 16_384
/** The number of cells, including blank ones. */
export const MAX_PASSED_CELLS = 20 * MEGABYTE
/** The number of rows that are not blank. */
export const MAX_ROWS = 50_000
/** The number of cells that are not blank. */
export const MAX_CELLS = 2 * MEGABYTE
/** The number of characters in all cells that are read. */
export const MAX_CHARACTERS = 50 * MEGABYTE
/** The number of characters in a cell, as in Excel. */
export const MAX_CELL_CHARACTERS = 32_767
/** The number of characters in a row of a CSV file, in one of its values, and in its headers. */
export const MAX_RECORD_CHARACTERS = MEGABYTE
/** The number of merged ranges in a sheet. */
export const MAX_MERGES = 10_000
/** The numbers of distinct texts and formats in a workbook. */
export const MAX_STRINGS = MEGABYTE
export const MAX_FORMATS = 100_000
/** The number of characters in one message from the thread, which takes about a millisecond to receive. */
export const PART_CHARACTERS = 500_000
/** The number of warnings to list. Others are only counted. */
export const MAX_WARNINGS = 100
