/** The part of a result by which it is told whether it is what was asked for. */
interface Named {
  readonly id: string | null
  readonly label: string
  readonly identifiers: readonly string[]
  readonly matched: { readonly by: string; readonly snippet: { readonly text: string } }
}

interface Answer<Result> {
  readonly query: { readonly text: string; readonly unknown: string | null; readonly corrected: string | null }
  readonly results: readonly Result[]
  readonly pagination: { readonly page: number }
}

/**
 * Whether the first result is what was asked for: it has that id, that name, a synonym of that spelling, or an
 * identifier that no other result has. A group id or a CCI that many rules share names none of them.
 */
export function isBestMatch(text: string, results: readonly Named[]): boolean {
  const wanted = plain(text)
  const [first, ...others] = results
  if (first === undefined || wanted === '') return false
  const { id, label, matched } = first
  if (plain(id ?? '') === wanted || plain(label) === wanted) return true
  if (matched.by === 'synonym' && plain(matched.snippet.text) === wanted) return true
  const hasIt = ({ identifiers }: Named): boolean => identifiers.some((one) => plain(one) === wanted)
  return hasIt(first) && !others.some(hasIt)
}

/** The best match of an answer: none or one, on the first page alone. */
export function bestOf<Result extends Named>(answer: Answer<Result>): readonly Result[] {
  const { query, results, pagination } = answer
  if (pagination.page !== 1 || query.unknown !== null) return []
  return isBestMatch(query.corrected ?? query.text, results) ? results.slice(0, 1) : []
}

function plain(text: string): string {
  return text.trim().toLowerCase()
}
