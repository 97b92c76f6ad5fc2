import type { OntologyRelations } from '../../../../contracts/sources.ts'
import type { Release } from '../../benchmarks/releases.ts'
import type { AttackOntology } from '../../linked-data/attacks/attack-guidance.ts'
import type { LinkSources } from '../documents.ts'
import type { PageAt } from './pages.ts'

/** The functions of the ontology about attacks. */
export type PublishedAttacks = AttackOntology & Pick<OntologyRelations, 'content'>

/** The data that the documents of the catalogue are made from. */
export interface DocumentSources extends LinkSources {
  /** The source of attacks; null: the documents have none. */
  readonly attacks: PublishedAttacks | null
  /** Makes the pages for browsers; without it, only data is published. */
  readonly pageAt?: PageAt | undefined
  /** As `listReleases` gives them. */
  readonly releases: readonly Release[]
  /** Base URL of the published files, without a final slash. */
  readonly baseUrl: string
}
