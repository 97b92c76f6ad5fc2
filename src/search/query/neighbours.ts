import { FIELD_BITS } from '../index/fields.ts'
import { hitsOf } from '../index/hits.ts'
import type { Library } from '../index/library.ts'
import type { StringList } from '../index/string-list.ts'

const MAX_NEIGHBOURS = 10

/**
 * Keys of records with identifiers next to an unknown one in alphabetical order, the most similar first. `isSearched`:
 * whether the records of an owner are searched, because several releases may have the same identifiers.
 */
export function neighboursOf(
  name: string,
  library: Library,
  isSearched: (owner: number) => boolean,
): readonly number[] {
  const letters = /^[\p{L}-]+/u.exec(name)?.[0] ?? ''
  const namesNearby: { readonly name: string; readonly key: number }[] = []
  for (const { segment, deleted } of [...library.guidance, ...library.ontology.parts])
    for (const word of wordsAround(segment.words, name, letters)) {
      const { records } = hitsOf(segment, { words: [word], prefix: false }, FIELD_BITS.names)
      const record = records.find((candidate) => deleted[candidate] === 0 && isSearched(segment.owners[candidate] ?? 0))
      if (record !== undefined) namesNearby.push({ name: word, key: segment.keys[record] ?? 0 })
    }
  namesNearby.sort((a, b) => sharedLength(b.name, name) - sharedLength(a.name, name) || a.key - b.key)
  return [...new Set(namesNearby.map(({ key }) => key))].slice(0, MAX_NEIGHBOURS)
}

function wordsAround(words: StringList, name: string, letters: string): readonly string[] {
  const middle = words.firstNotBelow(name)
  const around: string[] = []
  for (let index = Math.max(0, middle - MAX_NEIGHBOURS); index < middle + MAX_NEIGHBOURS; index += 1) {
    const word = index < words.length ? words.at(index) : ''
    if (letters !== '' && word.startsWith(letters)) around.push(word)
  }
  return around
}

/** Length of the common prefix of two names. */
function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}
