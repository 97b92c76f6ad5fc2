import { writeForm, type RdfForm } from '../../graph/syntax/forms.ts'
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
  /** Address of the service, without a final slash. */
  readonly baseUrl: string
  readonly releases: readonly Manifest[]
  /** The version that is served; null before the first ingest. */
  readonly active: string | null
  /** Titles and licences from the active release. */
  readonly about: readonly Statement[]
  /** Whether SPARQL queries are answered. */
  readonly hasSparql: boolean
  /** Whether guidance is published beside the ontology. */
  readonly hasGuidance: boolean
  /** Whether every subject is described at an address of its own. */
  readonly hasDescriptions: boolean
  /** Whether a path is answered. Default: all are. */
  readonly isThere?: (path: string) => boolean
}

/** The prefixes of the description. */
const DATASET_PREFIXES = {
  dcat: DCAT,
  dcterms: dcterms.namespace,
  foaf: FOAF,
  rdf: rdf.namespace,
  void: VOID,
  xsd: xsd.namespace,
} as const

type PropertyObjects = readonly [property: string, ...objects: (string | Literal)[]]

/** The description as a document. */
export function writeDatasets(statements: readonly Statement[], form: RdfForm): string {
  return Array.from(writeForm(statements, form, DATASET_PREFIXES)).join('')
}

/** Describes the data of a service or a published tree in VoID and DCAT 3. */
export function describeDatasets(datasets: Datasets): readonly Statement[] {
  const { baseUrl, releases, hasSparql, hasGuidance } = datasets
  const document = `${baseUrl}/.well-known/void`
  const topics = [`${document}#ontology`, ...(hasGuidance ? [`${document}#guidance`] : [])]
  return [
    ...statementsAbout(document, [
      [rdf.type, `${VOID}DatasetDescription`],
      [`${FOAF}topic`, ...topics],
    ]),
    ...ontology(document, datasets),
    ...releases.flatMap((release) => describeRelease(document, datasets, release)),
    ...(hasGuidance ? describeGuidance(document, datasets) : []),
    ...(hasSparql ? queryService(document, { baseUrl, topics }) : []),
  ]
}

function ontology(document: string, datasets: Datasets): readonly Statement[] {
  const { baseUrl, releases, active, about: metadata, hasSparql, hasDescriptions } = datasets
  const manifest = releases.find(({ version }) => version === active)
  const subject = `${document}#ontology`
  const statements = metadata.map((statement) => ({ ...statement, subject: iri(subject) }))
  return [
    ...statementsAbout(subject, [
      [rdf.type, `${VOID}Dataset`, `${DCAT}Dataset`],
      [dcterms.identifier, text(ONTOLOGY_NAME)],
      [`${VOID}uriSpace`, text(D3F)],
      [`${VOID}vocabulary`, OWL, RDFS, SKOS],
      [`${VOID}exampleResource`, `${D3F}DefensiveTechnique`],
      ...(hasDescriptions ? [[`${VOID}uriLookupEndpoint`, `${baseUrl}/api/ontology/describe/`] as const] : []),
      ...(hasSparql ? [[`${VOID}sparqlEndpoint`, `${baseUrl}/sparql`] as const] : []),
      [`${DCAT}hasVersion`, ...releases.map(({ version }) => releaseIri(document, version))],
      ...(active === null ? [] : [[`${DCAT}hasCurrentVersion`, releaseIri(document, active)] as const]),
    ]),
    ...(manifest === undefined ? [] : counts(subject, manifest)),
    ...distributions(subject, CURRENT_FILES, datasets),
    ...statements,
  ]
}

function releaseIri(document: string, version: string): string {
  return `${document}#release-${encodeURIComponent(version)}`
}

function describeRelease(document: string, datasets: Datasets, manifest: Manifest): readonly Statement[] {
  const { version, releaseDate, ingestedAt } = manifest
  const subject = releaseIri(document, version)
  const folder = `/ontologies/${ONTOLOGY_NAME}/${encodeURIComponent(version)}/`
  return [
    ...statementsAbout(subject, [
      [rdf.type, `${VOID}Dataset`, `${DCAT}Dataset`],
      [`${DCAT}isVersionOf`, `${document}#ontology`],
      [`${DCAT}version`, text(version)],
      [dcterms.issued, typedLiteral(releaseDate, xsd.dateTime)],
      [dcterms.modified, typedLiteral(ingestedAt, xsd.dateTime)],
    ]),
    ...counts(subject, manifest),
    ...distributions(subject, folder, datasets),
  ]
}

function counts(subject: string, { counts: { statements, subjects } }: Manifest): readonly Statement[] {
  return statementsAbout(subject, [
    [`${VOID}triples`, typedLiteral(String(statements), xsd.integer)],
    [`${VOID}distinctSubjects`, typedLiteral(String(subjects), xsd.integer)],
  ])
}

/** A file in each syntax. */
function distributions(
  subject: string,
  folder: string,
  { baseUrl, isThere = () => true }: Datasets,
): readonly Statement[] {
  return Object.values(SYNTAXES).flatMap(({ label, mediaType, extension }) => {
    const path = `${folder}${ONTOLOGY_NAME}.${extension}`
    if (!isThere(path)) return []
    const file = baseUrl + path
    const distribution = `${subject}-${extension}`
    return [
      ...statementsAbout(subject, [
        [`${VOID}dataDump`, file],
        [`${DCAT}distribution`, distribution],
      ]),
      ...statementsAbout(distribution, [
        [rdf.type, `${DCAT}Distribution`],
        [dcterms.title, text(label)],
        [`${DCAT}downloadURL`, file],
        [`${DCAT}mediaType`, MEDIA_TYPES + mediaType],
      ]),
    ]
  })
}

function describeGuidance(document: string, { baseUrl, hasSparql }: Datasets): readonly Statement[] {
  return statementsAbout(`${document}#guidance`, [
    [rdf.type, `${VOID}Dataset`, `${DCAT}Dataset`],
    [dcterms.title, text('Published security guidance: benchmarks, rules, CCIs and requirements')],
    [`${VOID}uriSpace`, text(`${baseUrl}/`)],
    [`${VOID}vocabulary`, `${baseUrl}/ns/guidance`],
    ...(hasSparql ? [[`${VOID}sparqlEndpoint`, `${baseUrl}/sparql`] as const] : []),
  ])
}

function queryService(
  document: string,
  { baseUrl, topics }: { readonly baseUrl: string; readonly topics: readonly string[] },
): readonly Statement[] {
  return statementsAbout(`${document}#sparql`, [
    [rdf.type, `${DCAT}DataService`],
    [dcterms.title, text('SPARQL 1.1 endpoint')],
    [`${DCAT}endpointURL`, `${baseUrl}/sparql`],
    [`${DCAT}servesDataset`, ...topics],
  ])
}

function typedLiteral(value: string, datatype: string): Literal {
  return { type: 'literal', value, datatype }
}

function statementsAbout(subject: string, facts: readonly PropertyObjects[]): readonly Statement[] {
  return facts.flatMap(([property, ...objects]) =>
    objects.map((object): Statement => {
      const term: Term = typeof object === 'string' ? iri(object) : object
      return { subject: iri(subject), predicate: iri(property), object: term }
    }),
  )
}
