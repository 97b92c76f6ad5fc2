/**
 * Normalises a name as directories do when they compare names: letter case, compatibility forms, outer blanks and
 * invisible characters are ignored (RFC 4518 §2). Used only to count all guesses for one person together, never to find
 * anybody.
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
