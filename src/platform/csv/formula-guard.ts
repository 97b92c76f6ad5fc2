/** Spreadsheets take these characters for a formula, also in the wide forms that they narrow. */
const FORMULA = String.raw`=+@\uff1d\uff0b\uff20`

/** At the start of a cell, also what leads to one or starts a program (`|`, in old programs: OWASP, CSV injection). */
const CELL = String.raw`${FORMULA}\-|\uff0d\uff5c\t\r\n`

/**
 * Within a cell, only programs that take a cell apart at its line ends are misled. Lines of commands and lists
 * begin with a hyphen or a tab, and people copy them: they stay as they are.
 */
const PLACES = [`^(?='*[${CELL}])`, `(?<=[\\r\\n])(?='*[${FORMULA}])`]

const UNGUARDED = new RegExp(PLACES.join('|'), 'g')
const GUARDED = [new RegExp(`^'(?='*[${CELL}])`), new RegExp(`(?<=[\\r\\n])'(?='*[${FORMULA}])`, 'g')]

/** Puts an apostrophe before what a spreadsheet would take for a formula. */
export function guardFormulas(text: string): string {
  return text.replace(UNGUARDED, "'")
}

/** Restores the text from before {@link guardFormulas}. */
export function unguardFormulas(text: string): string {
  return GUARDED.reduce((left, guard) => left.replace(guard, ''), text)
}
