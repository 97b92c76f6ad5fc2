/** The editor of the rules of a component. The API answers programs at the same path. */
export const EDITOR_PATHS = {
  editor: '/components/:component',
} as const
