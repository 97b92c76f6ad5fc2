import { iriToken, literalToken } from '../../../graph/store.ts'
import { D3F, d3f, owl, rdf, rdfs, xsd } from '../../../graph/vocabulary.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { TableRow } from './table.ts'

/** Techniques (IRIs) by their D3FEND identifiers. */
export type TechniquesById = ReadonlyMap<string, string>

const RELATIONS: Readonly<Record<string, string>> = {
  broader: 'broader',
  narrower: 'narrower',
  exactly: 'exactly',
  same: 'exactly',
  related: 'related',
  '': 'related',
}

/** Words in undecided rows. */
const UNDECIDED = ['NA', 'TBD', 'Duplicate', 'Review']

export const CCI_SHEET = {
  path: 'extensions/cci/CCI_Mapping.xlsx',
  sheet: 'U_CCI_List',
  columns: ['status', 'publishdate', 'contributor', 'definition', 'Relation', 'D3FEND', '_id'],
} as const

export const NIST_SHEET = {
  path: 'extensions/nist/sp800-53r5-control-catalog-d3fend-mapping.xlsx',
  sheet: 'SP 800-53 Revision 5--d3fend',
  columns: ['Control Identifier', 'Control (or Control Enhancement) Name', 'Relation', 'D3FEND Techniques'],
} as const

/** The edition of the CCI list that the repository's spreadsheet has. */
const CCI_EDITION = '2022-04-05'

/** No part of the sources declares it. */
const CONTRIBUTOR = `${D3F}contributor`

/** N-Triples of the CCIs that are mapped to techniques. */
export function* cciStatements(rows: Iterable<TableRow>, techniques: TechniquesById): Generator<string> {
  const catalog = `${D3F}CCICatalog_v${CCI_EDITION}`
  yield triple(CONTRIBUTOR, rdf.type, iriToken(owl.AnnotationProperty))
  for (const row of rows) {
    const mapped = row.text('D3FEND')
    if (isUndecided(mapped, UNDECIDED) || row.text('status') === 'deprecated') continue
    const id = row.text('_id')
    const control = `${D3F}${id}_v${CCI_EDITION}`
    yield* memberStatements({ control, catalog, kind: d3f.CCIControl, label: id })
    const published = literalToken(timeIn(row), xsd.dateTime)
    const contributor = row.text('contributor').replace(/ +/g, '_')
    yield triple(control, `${D3F}published`, published)
    yield triple(control, CONTRIBUTOR, iriToken(D3F + contributor))
    yield triple(control, d3f.definition, literalToken(row.text('definition')))
    yield* relationStatements(control, row, { mapped, techniques })
  }
}

/** N-Triples of the controls of NIST SP 800-53 that are mapped to techniques. */
export function* nistStatements(rows: Iterable<TableRow>, techniques: TechniquesById): Generator<string> {
  const catalog = `${D3F}NIST_SP_800-53_R5`
  for (const row of rows) {
    const mapped = row.text('D3FEND Techniques')
    if (isUndecided(mapped, ['NA'])) continue
    const id = row.text('Control Identifier')
    const control = `${catalog}_${id.replace(/[ )]/g, '').replaceAll('(', '_')}`
    yield* memberStatements({ control, catalog, kind: d3f.NISTControl, label: id })
    yield triple(control, d3f.controlName, literalToken(row.text('Control (or Control Enhancement) Name')))
    yield* relationStatements(control, row, { mapped, techniques })
  }
}

function isUndecided(mapped: string, words: readonly string[]): boolean {
  return mapped === '' || words.some((word) => mapped.includes(word))
}

interface ControlMember {
  readonly control: string
  readonly catalog: string
  readonly kind: string
  readonly label: string
}

function* memberStatements({ control, catalog, kind, label }: ControlMember): Generator<string> {
  yield triple(control, rdf.type, iriToken(kind))
  yield triple(control, `${D3F}member-of`, iriToken(catalog))
  yield triple(control, rdfs.label, literalToken(label))
  yield triple(catalog, `${D3F}has-member`, iriToken(control))
}

interface MappedTechniques {
  /** `D3-AL | D3-SPP` */
  readonly mapped: string
  readonly techniques: TechniquesById
}

/** Ignores identifiers of unpublished techniques. */
function* relationStatements(
  control: string,
  row: TableRow,
  { mapped, techniques }: MappedTechniques,
): Generator<string> {
  const word = row.text('Relation').trim().toLowerCase()
  const relation = RELATIONS[word]
  if (relation === undefined) throw row.refuse(`"${word}" is not a relation`)
  for (const id of mapped.split('|')) {
    const technique = techniques.get(id.trim())
    if (technique !== undefined) yield triple(control, D3F + relation, iriToken(technique))
  }
}

function timeIn(row: TableRow): string {
  const date = row.text('publishdate').replace(' ', 'T')
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2})?$/.test(date)) throw row.refuse(`"${date}" is not a date`)
  return date.includes('T') ? date : `${date}T00:00:00`
}

function triple(subject: string, predicate: string, object: string): string {
  return `${iriToken(subject)} ${iriToken(predicate)} ${object} .`
}

export function missingSheet(file: string, sheet: string): Refusal {
  return new Refusal('source_syntax', `${file}: there is no sheet "${sheet}".`)
}
