import { D3F, DC, SCHEMA, WELL_KNOWN_PREFIXES } from '../../../../graph/vocabulary.ts'

const { dcterms: DCTERMS, skos: SKOS, xsd: XSD } = WELL_KNOWN_PREFIXES

/** The prefixes in published documents; the vocabulary of the service has its own. */
export const PREFIXES = { ...WELL_KNOWN_PREFIXES, dc: DC, schema: SCHEMA } as const

export const dc = {
  language: `${DC}language`,
  publisher: `${DC}publisher`,
  source: `${DC}source`,
} as const

export const dcterms = {
  description: `${DCTERMS}description`,
  identifier: `${DCTERMS}identifier`,
  isPartOf: `${DCTERMS}isPartOf`,
  isReplacedBy: `${DCTERMS}isReplacedBy`,
  isVersionOf: `${DCTERMS}isVersionOf`,
  issued: `${DCTERMS}issued`,
  replaces: `${DCTERMS}replaces`,
  title: `${DCTERMS}title`,
} as const

export const skos = {
  Concept: `${SKOS}Concept`,
  ConceptScheme: `${SKOS}ConceptScheme`,
  altLabel: `${SKOS}altLabel`,
  broadMatch: `${SKOS}broadMatch`,
  broader: `${SKOS}broader`,
  definition: `${SKOS}definition`,
  exactMatch: `${SKOS}exactMatch`,
  inScheme: `${SKOS}inScheme`,
  notation: `${SKOS}notation`,
  note: `${SKOS}note`,
  prefLabel: `${SKOS}prefLabel`,
  related: `${SKOS}related`,
  scopeNote: `${SKOS}scopeNote`,
} as const

export const schema = { version: `${SCHEMA}version` } as const

export const datatypes = { date: `${XSD}date`, integer: `${XSD}integer` } as const

/** The class of controls that are CCIs. */
export const CCI_CONTROL = `${D3F}CCIControl`
