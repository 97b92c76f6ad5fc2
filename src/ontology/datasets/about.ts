import { readNTriples } from '../../graph/syntax/n3.ts'
import type { Statement } from '../../graph/term.ts'
import { dcterms, ONTOLOGY_IRI } from '../../graph/vocabulary.ts'

/** Path at which a release describes the ontology. */
export const ABOUT_PATH = `/api/ontology/describe/${ONTOLOGY_IRI}.json`

/** Properties of the ontology that the description of the data repeats. */
const REPEATED_PROPERTIES: readonly string[] = [dcterms.title, dcterms.description, dcterms.license]

/** Reads the statements from the answer at `ABOUT_PATH`, as N-Triples. */
export function readAbout(nTriples: string): readonly Statement[] {
  return readNTriples(nTriples).filter(
    ({ subject, predicate }) => subject.value === ONTOLOGY_IRI && REPEATED_PROPERTIES.includes(predicate.value),
  )
}
