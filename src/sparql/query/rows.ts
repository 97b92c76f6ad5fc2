const ROW_DEPTH = 4
const [QUOTE, BACKSLASH, OPEN, CLOSE] = [34, 92, 123, 125]
const [OPEN_LIST, CLOSE_LIST, NEW_LINE] = [91, 93, 10]

/** Counts the rows of an answer in one of the formats of results; 0 for graphs. */
export function countRows(answer: string, mediaType: string): number {
  if (mediaType.endsWith('results+json')) return countObjects(answer)
  // Literals cannot contain the tag, because they are escaped.
  if (mediaType.endsWith('results+xml')) return answer.split('<result>').length - 1
  if (mediaType === 'text/csv') return Math.max(0, countLines(answer) - 1)
  // Line breaks of literals are escaped.
  if (mediaType === 'text/tab-separated-values') return Math.max(0, answer.split('\n').length - 2)
  return 0
}

/** Counts the objects in `results.bindings` without parsing them. */
function countObjects(json: string): number {
  let rows = 0
  let depth = 0
  for (let position = 0; position < json.length; position += 1) {
    const code = json.charCodeAt(position)
    if (code === QUOTE) position = endOfText(json, position)
    else if (code === CLOSE || code === CLOSE_LIST) depth -= 1
    else if (code === OPEN || code === OPEN_LIST) {
      depth += 1
      if (depth === ROW_DEPTH) rows += 1
    }
  }
  return rows
}

/** Offset of the quote that ends a JSON string. */
function endOfText(json: string, begin: number): number {
  let position = begin + 1
  while (position < json.length && json.charCodeAt(position) !== QUOTE)
    position += json.charCodeAt(position) === BACKSLASH ? 2 : 1
  return position
}

/** Counts line ends outside of quotes. */
function countLines(text: string): number {
  let lines = 0
  let isQuoted = false
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position)
    if (code === QUOTE) isQuoted = !isQuoted
    else if (code === NEW_LINE && !isQuoted) lines += 1
  }
  return lines
}
