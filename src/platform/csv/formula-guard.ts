/** These characters begin a formula in spreadsheets, which also convert the wide forms. */
const FORMULA = String.raw`=+@\uff1d\uff0b\uff20`

/** At the start of a cell, these are dangerous too (`|` starts a program in old spreadsheets; OWASP, CSV injection). */
const CELL = String.raw`${FORMULA}\-|\uff0d\uff5c\t\r\n`

/**
 * Within a cell, formulas only matter to programs that split cells at line ends. Lines that begin with a hyphen or a tab
 * are often commands or lists that people copy, so they stay unchanged.
 */
const GUARD_POSITIONS = [`^(?='*[${CELL}])`, `(?<=[\\r\\n])(?='*[${FORMULA}])`]

const UNGUARDED = new RegExp(GUARD_POSITIONS.join('|'), 'g')
const GUARD_QUOTES = [new RegExp(`^'(?='*[${CELL}])`), new RegExp(`(?<=[\\r\\n])'(?='*[${FORMULA}])`, 'g')]

/** Adds an apostrophe before everything that a spreadsheet would read as a formula. */
export function guardFormulas(text: string): string {
  return text.replace(UNGUARDED, "'")
}

/** Restores the text from before {@link guardFormulas}. */
export function unguardFormulas(text: string): string {
  return GUARD_QUOTES.reduce((unguarded, guard) => unguarded.replace(guard, ''), text)
}
