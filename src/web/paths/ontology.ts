/** Pages of the ontology, at the paths that D3FEND's own site uses: a link needs another host only. */
export const ONTOLOGY_PATHS = {
  technique: '/technique/:technique',
} as const
