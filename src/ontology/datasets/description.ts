import { SYNTAXES } from '../../graph/syntax/syntaxes.ts'
import { iri, text, type Literal, type Statement, type Term } from '../../graph/term.ts'
import {
  D3F,
  DCAT,
  dcterms,
  FOAF,
  MEDIA_TYPES,
  ONTOLOGY_NAME,
  OWL,
  rdf,
  RDFS,
  SKOS,
  VOID,
  xsd,
} from '../../graph/vocabulary.ts'
import type { Manifest } from '../release/manifest.ts'
import { CURRENT_FILES } from '../views/whole/whole.ts'

export interface Datasets {
  /** Where the service is reached, without a final slash. */
  readonly baseUrl: string
  readonly releases: readonly Manifest[]
  /** The version that is served; null before the first ingest. */
  readonly active: string | null
  /** What the active release says of itself: its titles and licences. */
  readonly about: readonly Statement[]
  /** Whether SPARQL queries are answered. */
  readonly hasSparql: boolean
}

/** The prefixes of the description. */
export const DATASET_PREFIXES = {
  dcat: DCAT,
  dcterms: dcterms.namespace,
  foaf: FOAF,
  rdf: rdf.namespace,
  void: VOID,
  xsd: xsd.namespace,
} as const

type Say = readonly [property: string, ...objects: (string | Literal)[]]

/** The data that this service publishes, as VoID and DCAT 3 describe data. */
export function describeDatasets(datasets: Datasets): readonly Statement[] {
  const { baseUrl, releases, hasSparql } = datasets
  const document = `${baseUrl}/.well-known/void`
  return [
    ...about(document, [
      [rdf.type, `${VOID}DatasetDescription`],
      [`${FOAF}topic`, `${document}#ontology`, `${document}#guidance`],
    ]),
    ...ontology(document, datasets),
    ...releases.flatMap((release) => describeRelease(document, baseUrl, release)),
    ...guidance(document, datasets),
    ...(hasSparql ? queryService(document, baseUrl) : []),
  ]
}

function ontology(
  document: string,
  { baseUrl, releases, active, about: stated, hasSparql }: Datasets,
): readonly Statement[] {
  const manifest = releases.find(({ version }) => version === active)
  const subject = `${document}#ontology`
  const own = stated.map((statement) => ({ ...statement, subject: iri(subject) }))
  return [
    ...about(subject, [
      [rdf.type, `${VOID}Dataset`, `${DCAT}Dataset`],
      [dcterms.identifier, text(ONTOLOGY_NAME)],
      [`${VOID}uriSpace`, text(D3F)],
      [`${VOID}vocabulary`, OWL, RDFS, SKOS],
      [`${VOID}exampleResource`, `${D3F}DefensiveTechnique`],
      [`${VOID}uriLookupEndpoint`, `${baseUrl}/api/ontology/describe/`],
      ...(hasSparql ? [[`${VOID}sparqlEndpoint`, `${baseUrl}/sparql`] as const] : []),
      [`${DCAT}hasVersion`, ...releases.map(({ version }) => releaseIri(document, version))],
      ...(active === null
        ? []
        : [[`${DCAT}hasCurrentVersion`, releaseIri(document, active)] as const]),
    ]),
    ...(manifest === undefined ? [] : counts(subject, manifest)),
    ...distributions(subject, baseUrl + CURRENT_FILES),
    ...own,
  ]
}

function releaseIri(document: string, version: string): string {
  return `${document}#release-${encodeURIComponent(version)}`
}

function describeRelease(
  document: string,
  baseUrl: string,
  manifest: Manifest,
): readonly Statement[] {
  const { version, releaseDate, ingestedAt } = manifest
  const subject = releaseIri(document, version)
  const folder = `${baseUrl}/ontologies/${ONTOLOGY_NAME}/${encodeURIComponent(version)}/`
  return [
    ...about(subject, [
      [rdf.type, `${VOID}Dataset`, `${DCAT}Dataset`],
      [`${DCAT}isVersionOf`, `${document}#ontology`],
      [`${DCAT}version`, text(version)],
      [dcterms.issued, typed(releaseDate, xsd.dateTime)],
      [dcterms.modified, typed(ingestedAt, xsd.dateTime)],
    ]),
    ...counts(subject, manifest),
    ...distributions(subject, folder),
  ]
}

function counts(
  subject: string,
  { counts: { statements, subjects } }: Manifest,
): readonly Statement[] {
  return about(subject, [
    [`${VOID}triples`, typed(String(statements), xsd.integer)],
    [`${VOID}distinctSubjects`, typed(String(subjects), xsd.integer)],
  ])
}

/** A file in each syntax. */
function distributions(subject: string, folder: string): readonly Statement[] {
  return Object.values(SYNTAXES).flatMap(({ label, mediaType, extension }) => {
    const file = `${folder}${ONTOLOGY_NAME}.${extension}`
    const distribution = `${subject}-${extension}`
    return [
      ...about(subject, [
        [`${VOID}dataDump`, file],
        [`${DCAT}distribution`, distribution],
      ]),
      ...about(distribution, [
        [rdf.type, `${DCAT}Distribution`],
        [dcterms.title, text(label)],
        [`${DCAT}downloadURL`, file],
        [`${DCAT}mediaType`, MEDIA_TYPES + mediaType],
      ]),
    ]
  })
}

function guidance(document: string, { baseUrl, hasSparql }: Datasets): readonly Statement[] {
  return about(`${document}#guidance`, [
    [rdf.type, `${VOID}Dataset`, `${DCAT}Dataset`],
    [dcterms.title, text('Published security guidance: benchmarks, rules, CCIs and requirements')],
    [`${VOID}uriSpace`, text(`${baseUrl}/`)],
    [`${VOID}vocabulary`, `${baseUrl}/ns/guidance`],
    ...(hasSparql ? [[`${VOID}sparqlEndpoint`, `${baseUrl}/sparql`] as const] : []),
  ])
}

function queryService(document: string, baseUrl: string): readonly Statement[] {
  return about(`${document}#sparql`, [
    [rdf.type, `${DCAT}DataService`],
    [dcterms.title, text('SPARQL 1.1 endpoint')],
    [`${DCAT}endpointURL`, `${baseUrl}/sparql`],
    [`${DCAT}servesDataset`, `${document}#ontology`, `${document}#guidance`],
  ])
}

function typed(value: string, datatype: string): Literal {
  return { type: 'literal', value, datatype }
}

function about(subject: string, facts: readonly Say[]): readonly Statement[] {
  return facts.flatMap(([property, ...objects]) =>
    objects.map((object): Statement => {
      const term: Term = typeof object === 'string' ? iri(object) : object
      return { subject: iri(subject), predicate: iri(property), object: term }
    }),
  )
}
