/** The views of the comments, as the address has them, the usual one first. */
export const VIEWS = [
  ['table', 'Table'],
  ['rules', 'By rule'],
  ['split', 'One at a time'],
  ['alike', 'Say the same'],
] as const

export type View = (typeof VIEWS)[number][0]

export function viewOf(named: unknown): View {
  return VIEWS.find(([key]) => key === named)?.[0] ?? 'table'
}
