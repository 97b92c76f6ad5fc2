/**
 * A name in one of its spellings: without what directories overlook when they compare names, such as letter
 * case, compatibility forms, blanks at the edges and what cannot be seen (RFC 4518 §2). Guesses at one person
 * are counted together by it; nobody is found by it.
 */
export function spellingOf(name: string): string {
  return name
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/[\s\p{Z}\p{Cc}]+/gu, ' ')
    .trim()
}
