/** A rule that can be picked: `PNGN-01-000121` and its title. */
interface RuleChoice {
  readonly rule: number
  readonly name: string
  readonly text: string
}

interface RuleMatch<T> {
  /** The one that is meant; null: none, or not yet. */
  readonly one: T | null
  /** How many are like what is typed. */
  readonly like: number
}

/** Finds the rule that was typed: by its whole name, or by as much of name and title as no other rule has. */
export function pickedRule<T extends RuleChoice>(options: readonly T[], typed: string): RuleMatch<T> {
  const words = typed.trim().toUpperCase().split(/\s+/)
  if (words.join('') === '') return { one: null, like: options.length }
  const named = options.find(({ name, text }) => [name, text.toUpperCase()].includes(words.join(' ')) || text === typed)
  if (named !== undefined) return { one: named, like: 1 }
  const found = options.filter(({ text }) => {
    const all = text.toUpperCase()
    return words.every((word) => all.includes(word))
  })
  const [only] = found
  return { one: found.length === 1 && only !== undefined ? only : null, like: found.length }
}
