/** Finds the SRG ids in a pasted text, without duplicates. */
export function srgIdsIn(text: string): readonly string[] {
  return [...new Set(text.toUpperCase().match(/\bSRG-[A-Z0-9]+(?:-[A-Z0-9]+)+/g) ?? [])]
}
