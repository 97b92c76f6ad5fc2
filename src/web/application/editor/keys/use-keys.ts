import { computed, onScopeDispose, ref, type ComputedRef } from 'vue'
import { isWriting } from '../../parts/is-writing.ts'
import { bindingsWith, chordOf, commandFor, type Bindings, type Command } from './commands.ts'

const NAME = 'parapet.keys'

/** The chosen keys by command; an empty text for no key. */
const chosen = ref<Readonly<Record<string, string>>>(readChosen())

function readChosen(): Readonly<Record<string, string>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(NAME) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    const entries = Object.entries(stored).flatMap(([name, key]: [string, unknown]) =>
      typeof key === 'string' ? [[name, key] as const] : [],
    )
    return Object.fromEntries(entries)
  } catch {
    return {}
  }
}

function store(keys: Readonly<Record<string, string>>): void {
  chosen.value = keys
  localStorage.setItem(NAME, JSON.stringify(keys))
}

export const bindings: ComputedRef<Bindings> = computed(() => bindingsWith(chosen.value))

/** An empty text removes the key. */
export function chooseKey(command: Command, key: string): void {
  store({ ...chosen.value, [command]: key })
}

export function forgetKeys(): void {
  store({})
}

/** Runs commands when their keys are pressed. */
export function useKeys(commands: Partial<Readonly<Record<Command, () => unknown>>>): void {
  const listen = (event: KeyboardEvent): void => {
    const { target } = event
    // Keys of an input method compose text.
    if (event.isComposing) return
    if (event.defaultPrevented || (target instanceof Element && target.closest('dialog[open]'))) return
    const command = commandFor(bindings.value, chordOf(event), isWriting(event))
    const run = command === null ? undefined : commands[command]
    if (run === undefined) return
    event.preventDefault()
    run()
  }
  addEventListener('keydown', listen)
  onScopeDispose(() => {
    removeEventListener('keydown', listen)
  })
}
