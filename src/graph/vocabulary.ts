/** The namespaces of this program. IRIs are written only in this file. */
export const D3F = 'http://d3fend.mitre.org/ontologies/d3fend.owl#'
export const RDFS = 'http://www.w3.org/2000/01/rdf-schema#'
export const OWL = 'http://www.w3.org/2002/07/owl#'
export const SKOS = 'http://www.w3.org/2004/02/skos/core#'
export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const XSD = 'http://www.w3.org/2001/XMLSchema#'
const DCTERMS = 'http://purl.org/dc/terms/'
/** Dublin Core 1.1: the same properties as in XCCDF files, which take plain texts. */
export const DC = 'http://purl.org/dc/elements/1.1/'
export const SCHEMA = 'https://schema.org/'

export const WELL_KNOWN_PREFIXES = {
  d3f: D3F,
  dcterms: DCTERMS,
  owl: OWL,
  rdf: RDF,
  rdfs: RDFS,
  skos: SKOS,
  xsd: XSD,
} as const

/** The node that names the ontology itself when the sources do not. */
export const ONTOLOGY_IRI = D3F.slice(0, -1)

/** File name of the ontology, without an extension. */
export const ONTOLOGY_NAME = ONTOLOGY_IRI.slice(ONTOLOGY_IRI.lastIndexOf('/') + 1).replace(/\.\w+$/, '')

export const owl = {
  AnnotationProperty: `${OWL}AnnotationProperty`,
  ObjectProperty: `${OWL}ObjectProperty`,
  deprecated: `${OWL}deprecated`,
} as const

/** SHACL: shapes, and the report of a validation. */
const SH = 'http://www.w3.org/ns/shacl#'

export const sh = {
  namespace: SH,
  NodeShape: `${SH}NodeShape`,
  PropertyShape: `${SH}PropertyShape`,
  ValidationReport: `${SH}ValidationReport`,
  ValidationResult: `${SH}ValidationResult`,
  SPARQLConstraintComponent: `${SH}SPARQLConstraintComponent`,
  Violation: `${SH}Violation`,
  Warning: `${SH}Warning`,
  conforms: `${SH}conforms`,
  property: `${SH}property`,
  result: `${SH}result`,
  focusNode: `${SH}focusNode`,
  resultPath: `${SH}resultPath`,
  resultMessage: `${SH}resultMessage`,
  resultSeverity: `${SH}resultSeverity`,
  sourceConstraintComponent: `${SH}sourceConstraintComponent`,
  sourceShape: `${SH}sourceShape`,
} as const

/** Datasets and their distributions. */
export const VOID = 'http://rdfs.org/ns/void#'
export const DCAT = 'http://www.w3.org/ns/dcat#'
export const FOAF = 'http://xmlns.com/foaf/0.1/'
/** IRIs of media types in IANA's registry begin with this. */
export const MEDIA_TYPES = 'https://www.iana.org/assignments/media-types/'

export const dcterms = {
  namespace: DCTERMS,
  description: `${DCTERMS}description`,
  identifier: `${DCTERMS}identifier`,
  isReplacedBy: `${DCTERMS}isReplacedBy`,
  issued: `${DCTERMS}issued`,
  license: `${DCTERMS}license`,
  modified: `${DCTERMS}modified`,
  title: `${DCTERMS}title`,
} as const

export const rdf = { namespace: RDF, type: `${RDF}type` } as const

export const rdfs = {
  comment: `${RDFS}comment`,
  isDefinedBy: `${RDFS}isDefinedBy`,
  label: `${RDFS}label`,
  seeAlso: `${RDFS}seeAlso`,
  subClassOf: `${RDFS}subClassOf`,
  /** Not in the RDFS recommendation, but D3FEND publishes it under this name. */
  hasSubClass: `${RDFS}hasSubClass`,
} as const

const SD = 'http://www.w3.org/ns/sparql-service-description#'
const FORMATS = 'http://www.w3.org/ns/formats/'

/** SPARQL 1.1 Service Description. */
export const sd = {
  Dataset: `${SD}Dataset`,
  Graph: `${SD}Graph`,
  GraphCollection: `${SD}GraphCollection`,
  NamedGraph: `${SD}NamedGraph`,
  SPARQL11Query: `${SD}SPARQL11Query`,
  Service: `${SD}Service`,
  availableGraphs: `${SD}availableGraphs`,
  defaultDataset: `${SD}defaultDataset`,
  defaultGraph: `${SD}defaultGraph`,
  endpoint: `${SD}endpoint`,
  graph: `${SD}graph`,
  name: `${SD}name`,
  namedGraph: `${SD}namedGraph`,
  resultFormat: `${SD}resultFormat`,
  supportedLanguage: `${SD}supportedLanguage`,
} as const

/** Names of formats, by media type. */
export const FORMAT_IRIS: Readonly<Record<string, string>> = {
  'application/sparql-results+json': `${FORMATS}SPARQL_Results_JSON`,
  'application/sparql-results+xml': `${FORMATS}SPARQL_Results_XML`,
  'text/csv': `${FORMATS}SPARQL_Results_CSV`,
  'text/tab-separated-values': `${FORMATS}SPARQL_Results_TSV`,
  'text/turtle': `${FORMATS}Turtle`,
  'application/n-triples': `${FORMATS}N-Triples`,
  'application/ld+json': `${FORMATS}JSON-LD`,
  'application/rdf+xml': `${FORMATS}RDF_XML`,
}

export const skos = { altLabel: `${SKOS}altLabel` } as const

export const xsd = {
  namespace: XSD,
  boolean: `${XSD}boolean`,
  dateTime: `${XSD}dateTime`,
  integer: `${XSD}integer`,
  string: `${XSD}string`,
} as const

export const d3f = {
  ATLASTactic: `${D3F}ATLASTactic`,
  ATLASTechnique: `${D3F}ATLASTechnique`,
  ATTACKEnterpriseMitigation: `${D3F}ATTACKEnterpriseMitigation`,
  ATTACKEnterpriseTactic: `${D3F}ATTACKEnterpriseTactic`,
  ATTACKEnterpriseTechnique: `${D3F}ATTACKEnterpriseTechnique`,
  ATTACKICSTactic: `${D3F}ATTACKICSTactic`,
  ATTACKICSTechnique: `${D3F}ATTACKICSTechnique`,
  ATTACKMobileTactic: `${D3F}ATTACKMobileTactic`,
  ATTACKMobileTechnique: `${D3F}ATTACKMobileTechnique`,
  AnalyticTechnique: `${D3F}AnalyticTechnique`,
  CCIControl: `${D3F}CCIControl`,
  ControlCorrelationIdentifierCatalog: `${D3F}ControlCorrelationIdentifierCatalog`,
  DefensiveTactic: `${D3F}DefensiveTactic`,
  DefensiveTechnique: `${D3F}DefensiveTechnique`,
  DigitalArtifact: `${D3F}DigitalArtifact`,
  DigitalEvent: `${D3F}DigitalEvent`,
  NISTControl: `${D3F}NISTControl`,
  OffensiveTactic: `${D3F}OffensiveTactic`,
  OffensiveTechnique: `${D3F}OffensiveTechnique`,
  SPARTATactic: `${D3F}SPARTATactic`,
  SPARTATechnique: `${D3F}SPARTATechnique`,
  Sensor: `${D3F}Sensor`,
  RootNode: `${D3F}RootNode`,
  associatedWith: `${D3F}associated-with`,
  attackId: `${D3F}attack-id`,
  children: `${D3F}children`,
  controlName: `${D3F}control-name`,
  cweId: `${D3F}cwe-id`,
  d3fendId: `${D3F}d3fend-id`,
  definition: `${D3F}definition`,
  displayOrder: `${D3F}display-order`,
  displayPriority: `${D3F}display-priority`,
  enables: `${D3F}enables`,
  kbArticle: `${D3F}kb-article`,
  monitors: `${D3F}monitors`,
  outbound: `${D3F}outbound`,
  prefLabel: `${D3F}pref-label`,
  related: `${D3F}related`,
  referenceTypeLabel: `${D3F}reference-type-label`,
  synonym: `${D3F}synonym`,
  topLevel: `${D3F}top-level`,
  /** D3FEND has published it with a doubled prefix ("d3f:d3f:attack-id") since its first release. */
  doubledAttackId: `${D3F}d3f:attack-id`,
} as const
