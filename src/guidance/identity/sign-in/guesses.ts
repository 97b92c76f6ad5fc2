/**
 * A name without the differences that directories ignore when they compare names, such as letter case,
 * compatibility forms, blanks at the edges and invisible characters (RFC 4518 §2). Used to count guesses at one
 * person together; never to find anybody.
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
