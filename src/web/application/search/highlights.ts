interface Snippet {
  readonly text: string
  readonly highlights: readonly { readonly start: number; readonly end: number }[]
}

export interface Part {
  readonly text: string
  readonly isHit: boolean
}

/** Splits a snippet into parts with marked matches; overlapping or invalid ranges are ignored. */
export function partsOf({ text, highlights }: Snippet): readonly Part[] {
  const parts: Part[] = []
  let offset = 0
  for (const { start, end } of highlights) {
    if (start < offset || end <= start || end > text.length) continue
    if (start > offset) parts.push({ text: text.slice(offset, start), isHit: false })
    parts.push({ text: text.slice(start, end), isHit: true })
    offset = end
  }
  if (offset < text.length) parts.push({ text: text.slice(offset), isHit: false })
  return parts
}
