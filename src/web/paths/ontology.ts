/** Pages of the ontology, at the paths that D3FEND's own site uses: a link needs another host only. */
export const ONTOLOGY_PATHS = {
  technique: '/technique/:technique',
} as const

/** Where the API has what such a page shows. Without that, the page is sent with 404. */
export const ONTOLOGY_RECORDS: Readonly<Partial<Record<keyof typeof ONTOLOGY_PATHS, string>>> = {
  technique: '/api/technique/:technique.json',
}
