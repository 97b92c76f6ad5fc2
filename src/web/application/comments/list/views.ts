import type { Scope } from '../filters.ts'

/** The views of the comments, as the address has them. */
export const VIEWS = [
  ['split', 'One at a time'],
  ['table', 'Table'],
  ['rules', 'By rule'],
  ['alike', 'Alike'],
] as const

export type View = (typeof VIEWS)[number][0]

/** The comments on one component are decided one after another; those of a whole project are looked through first. */
const USUAL_VIEW = { component: 'split', project: 'table' } as const

/** The view that the address names, or else the usual one. */
export function viewOf(named: unknown, scope: Scope['kind']): View {
  return VIEWS.find(([key]) => key === named)?.[0] ?? USUAL_VIEW[scope]
}
