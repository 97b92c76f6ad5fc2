import type { Scope } from '../filters.ts'

/** The views of the comments, as the address has them. */
export const VIEWS = [
  ['split', 'One at a time'],
  ['table', 'Table'],
  ['rules', 'By rule'],
  ['alike', 'Alike'],
] as const

export type View = (typeof VIEWS)[number][0]

/** The default view: one comment at a time for a component, and the table for a project. */
const USUAL_VIEW = { component: 'split', project: 'table' } as const

/** The view in the address, or the default view. */
export function viewOf(viewName: unknown, scope: Scope['kind']): View {
  return VIEWS.find(([key]) => key === viewName)?.[0] ?? USUAL_VIEW[scope]
}
