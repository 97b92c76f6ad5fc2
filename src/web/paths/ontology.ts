/** Pages of the ontology, at the paths of D3FEND's own site, so that links work with another host. */
export const ONTOLOGY_PATHS = {
  matrix: '/matrix',
  attacks: '/attacks',
  tactic: '/tactic/:tactic',
  technique: '/technique/:technique',
  artifact: '/dao/artifact/:artifact',
  attack: '/offensive-technique/attack/:attack',
  weakness: '/weakness/cwe/:weakness',
  subject: '/ontology/describe/:subject',
  changes: '/releases/:from/changes/:to',
} as const

/** API path of the record that each page shows. If it does not exist, the page is sent with 404. */
export const ONTOLOGY_RECORDS: Readonly<Partial<Record<keyof typeof ONTOLOGY_PATHS, string>>> = {
  tactic: '/api/tactic/:tactic.json',
  technique: '/api/technique/:technique.json',
  artifact: '/api/dao/artifact/:artifact.json',
  attack: '/api/offensive-technique/attack/:attack.json',
  weakness: '/api/weakness/cwe/:weakness.json',
  subject: '/api/ontology/describe/:subject.json',
}
