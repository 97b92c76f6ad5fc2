/** The content codings that answers are kept in; identity is unpacked for those who insist. */
export const CODINGS = ['br', 'gzip', 'identity'] as const

export type Coding = (typeof CODINGS)[number]

const MEMO_SIZE = 500
const memo = new Map<string, Coding>()

/**
 * The coding for an Accept-Encoding header (RFC 9110 §12.5.3): the caller's highest weight, brotli
 * before gzip before identity among equals. Without the header, identity.
 */
export function acceptedCoding(header: string | undefined): Coding {
  if (header === undefined) return 'identity'
  const known = memo.get(header)
  if (known !== undefined) return known
  const coding = negotiate(header)
  if (memo.size < MEMO_SIZE) memo.set(header, coding)
  return coding
}

function negotiate(header: string): Coding {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = q === undefined ? 1 : Number(q.slice(2))
    weights.set(name === 'x-gzip' ? 'gzip' : name, Number.isNaN(weight) ? 0 : weight)
  }
  const weightOf = (coding: Coding): number =>
    // Identity is acceptable unless it is excluded, yet last.
    weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? 0.0001 : 0)
  return CODINGS.reduce((best, coding) => (weightOf(coding) > weightOf(best) ? coding : best))
}
