/** Whether the program was called as `parapet NAME`; else by `npm run NAME`. */
let isSubcommand = false

/** Records that this process runs `parapet NAME`. */
export function callAsSubcommand(): void {
  isSubcommand = true
}

/** The usage with the command as the user calls it: `npm run ingest -- SOURCE` is `parapet ingest SOURCE`. */
export function usageAsCalled(usage: string): string {
  if (!isSubcommand) return usage
  return usage
    .replaceAll(/npm run (?:--silent )?([\w-]+)(?: --)?/g, 'parapet $1')
    .replaceAll(/npm start(?: --)?/g, 'parapet serve')
}

/** The exit status of unknown options and of missing arguments. */
export function misuseStatus(): 1 | 2 {
  return isSubcommand ? 2 : 1
}
