import type { Database } from '../../database/database.ts'
import type { OntologyLinks } from '../linked-data/countermeasures/ontology-links.ts'

/** The endpoints of CCIs, controls and mappings read the database and the links to techniques. */
export interface ReferenceParts {
  readonly database: Pick<Database, 'read'>
  readonly links: Pick<OntologyLinks, 'current'>
}
