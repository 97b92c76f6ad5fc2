/** The commands that have a key, in the order of the list of keys. */
export const COMMANDS = {
  next: { label: 'Next rule', keys: ['j', 'Alt+ArrowDown'] },
  previous: { label: 'Previous rule', keys: ['k', 'Alt+ArrowUp'] },
  nextField: { label: 'Next field', keys: ['n', 'Ctrl+ArrowDown'] },
  previousField: { label: 'Previous field', keys: ['p', 'Ctrl+ArrowUp'] },
  nextSection: { label: 'Next section', keys: [']'] },
  previousSection: { label: 'Previous section', keys: ['['] },
  status: { label: 'Status of the rule', keys: ['s'] },
  save: { label: 'Save now', keys: ['Ctrl+s'] },
  review: { label: 'Request a review', keys: ['Ctrl+Enter'] },
  lock: { label: 'Lock or unlock', keys: ['l'] },
  comment: { label: 'Comments', keys: ['c'] },
  panel: { label: 'Next panel', keys: ['.'] },
  filter: { label: 'Filter the list', keys: ['f'] },
  leave: { label: 'Leave the field that is written', keys: ['Escape'] },
  help: { label: 'All keys', keys: ['?'] },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly keys: readonly string[] }>>

export type Command = keyof typeof COMMANDS

export type Bindings = Readonly<Record<Command, readonly string[]>>

export function isCommand(name: string): name is Command {
  return name in COMMANDS
}

export const COMMAND_NAMES: readonly Command[] = Object.keys(COMMANDS).filter(isCommand)

interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** `Ctrl+s`, `Alt+ArrowDown`, `?`. ⌘ counts as Ctrl. */
export function chordOf({ key, ctrlKey, metaKey, altKey }: KeyPress): string {
  const isHeld = ctrlKey || metaKey || altKey
  const name = isHeld && key.length === 1 ? key.toLowerCase() : key
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${name}`
}

/** Finds the command of a key. While the focus is in a text field, letters are text. */
export function commandFor(bindings: Bindings, chord: string, isWriting: boolean): Command | null {
  const isFree = !isWriting || /^(?:Ctrl|Alt)\+|^Escape$|^F\d+$/.test(chord)
  return isFree ? (COMMAND_NAMES.find((name) => bindings[name].includes(chord)) ?? null) : null
}

/** The chosen keys, and the default keys of commands without a choice. */
export function bindingsWith(chosen: Readonly<Record<string, string>>): Bindings {
  const entries = COMMAND_NAMES.map((name) => {
    const customKey = chosen[name]
    const customKeys = new Set(Object.values(chosen))
    const defaults = COMMANDS[name].keys.filter((key) => !customKeys.has(key))
    return [name, customKey === undefined ? defaults : customKey === '' ? [] : [customKey]] as const
  })
  return { ...DEFAULTS, ...Object.fromEntries(entries) }
}

const DEFAULTS: Bindings = {
  next: [],
  previous: [],
  nextField: [],
  previousField: [],
  nextSection: [],
  previousSection: [],
  status: [],
  save: [],
  review: [],
  lock: [],
  comment: [],
  panel: [],
  filter: [],
  leave: [],
  help: [],
}
