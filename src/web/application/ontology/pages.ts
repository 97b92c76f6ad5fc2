import type { ONTOLOGY_PATHS } from '../../paths/ontology.ts'
import type { LoadPage } from '../load-page.ts'

/** Pages of the ontology by the names of their paths. */
export const ONTOLOGY_PAGES = {
  matrix: () => import('./matrix/MatrixPage.vue'),
  attacks: () => import('./matrix/AttacksPage.vue'),
  tactic: () => import('./tactic/TacticPage.vue'),
  technique: () => import('./technique/TechniquePage.vue'),
  artifact: () => import('./artifact/ArtifactPage.vue'),
  attack: () => import('./attack/AttackPage.vue'),
  weakness: () => import('./weakness/WeaknessPage.vue'),
  subject: () => import('./subject/SubjectPage.vue'),
  changes: () => import('./changes/ChangesPage.vue'),
} satisfies Readonly<Record<keyof typeof ONTOLOGY_PATHS, LoadPage>>
