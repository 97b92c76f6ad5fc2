/** A rule that can be picked: `PNGN-01-000121` and its title. */
interface RuleChoice {
  readonly rule: number
  readonly name: string
  readonly text: string
}

interface RuleMatch<T> {
  /** The rule that was found; null if there is none or it is not clear yet. */
  readonly match: T | null
  /** Number of rules that match the typed text. */
  readonly matchCount: number
}

/** Finds the typed rule: by its whole name, or by a unique part of its name and title. */
export function pickedRule<T extends RuleChoice>(options: readonly T[], typed: string): RuleMatch<T> {
  const words = typed.trim().toUpperCase().split(/\s+/)
  if (words.join('') === '') return { match: null, matchCount: options.length }
  const exactMatch = options.find(
    ({ name, text }) => [name, text.toUpperCase()].includes(words.join(' ')) || text === typed,
  )
  if (exactMatch !== undefined) return { match: exactMatch, matchCount: 1 }
  const matches = options.filter(({ text }) => {
    const optionText = text.toUpperCase()
    return words.every((word) => optionText.includes(word))
  })
  const [only] = matches
  return { match: matches.length === 1 && only !== undefined ? only : null, matchCount: matches.length }
}
