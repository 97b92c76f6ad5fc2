/** SRG ids in pasted text, each once: they are separated by anything that is not a part of an id. */
export function srgIdsIn(text: string): readonly string[] {
  return [...new Set(text.toUpperCase().match(/\bSRG-[A-Z0-9]+(?:-[A-Z0-9]+)+/g) ?? [])]
}
