/** Parses JSON of unknown content; null if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** An object as JSON, without its closing brace: for documents that are written in pieces. */
export function openObject(value: object): string {
  return JSON.stringify(value).slice(0, -1)
}
