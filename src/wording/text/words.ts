/** Words without a meaning for the subject of a sentence. */
const STOP_WORDS = new Set(
  (
    'a an and are as at be been being but by can do does for from has have if in into is it its may must no not of ' +
    'on or shall should so such than that the their them then there these they this to was were when where which ' +
    'while who will with within without would all any each other only also'
  ).split(' '),
)

const WORD = /[a-z0-9][a-z0-9_./-]*[a-z0-9]|[a-z0-9]/g

/** The content words of a text, without endings and small words. Names such as `maxPoolSize` are several words. */
export function wordsOf(text: string): ReadonlySet<string> {
  const spaced = text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  const words = new Set<string>()
  for (const word of spaced.match(WORD) ?? []) if (!STOP_WORDS.has(word)) words.add(withoutEnding(word))
  return words
}

function withoutEnding(word: string): string {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return word
  return word.replace(/(?:ations?|ing|ed|es|s|e)$/, '')
}

/** A word, and the words that a name is made of: `audit.rules`. */
export function partsOf(word: string): readonly string[] {
  const parts = word.split(/[^a-z0-9]+/).filter((part) => part.length > 2)
  return parts.length < 2 ? [word] : [word, ...parts.map(withoutEnding)]
}

/** Counts the words that two texts share. */
export function commonWords(words: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let commonCount = 0
  for (const word of words) if (other.has(word)) commonCount++
  return commonCount
}
