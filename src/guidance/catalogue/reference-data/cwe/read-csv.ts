import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'
import { Refusal } from '../../../../platform/errors.ts'
import { shortenWords } from '../../files/xml.ts'
import type { ReferenceData } from '../items.ts'
import { CollectedEntries } from './collected-entries.ts'
import { filledOrNull, recordsOf, valueOf, valuesOf } from './csv-cells.ts'
import { NO_PARTS, type CweDraft } from './items.ts'

const rowsSchema = z.array(z.object({ info: z.object({ lines: z.int() }), record: z.record(z.string(), z.string()) }))

const REQUIRED_COLUMNS = ['CWE-ID', 'Name', 'Description']

/**
 * Reads the weaknesses of one view of CWE from CSV (`1000.csv`). The file does not state a version, so its view is used
 * instead. Refuses, with the line: other files than CSV of CWE (`not_reference_data`), a missing column or value
 * (`missing_field`), invalid UTF-8 (`bad_encoding`), and everything that `CollectedEntries` refuses.
 */
export function readCweCsv(bytes: Uint8Array, fileName: string): ReferenceData {
  const rows = parseRows(bytes)
  const [first] = rows
  if (first === undefined) throw new Refusal('missing_field', 'The CSV has no weakness.')
  for (const column of REQUIRED_COLUMNS)
    if (!(column in first.record)) throw new Refusal('missing_field', `The CSV has no column ${column} (line 1).`)
  const entries = new CollectedEntries()
  for (const { record, info } of rows) entries.add(entryOf(record), info.lines)
  const view = fileName.replace(/\.[a-z]+$/i, '').slice(0, 100)
  return { kind: 'cwe', title: 'CWE', version: `view ${view}`, published: null, items: entries.finish() }
}

/** Rows end with an additional comma. */
function parseRows(bytes: Uint8Array): z.infer<typeof rowsSchema> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const options = { bom: true, columns: true, info: true, relax_column_count: true, skip_empty_lines: true } as const
    return rowsSchema.parse(parse(text, options))
  } catch (error) {
    if (error instanceof TypeError) throw new Refusal('bad_encoding', 'The file is not valid UTF-8.')
    if (!(error instanceof CsvError)) throw error
    throw new Refusal('not_reference_data', `The CSV cannot be read: ${shortenWords(error.message)}.`)
  }
}

const PLATFORMS = ['LANGUAGE', 'OPERATING SYSTEM', 'ARCHITECTURE', 'TECHNOLOGY']

/** The names of columns and keys are those of MITRE. */
function entryOf(row: Readonly<Record<string, string>>): CweDraft {
  const cell = (column: string): string => row[column]?.trim() ?? ''
  const records = (column: string, ...keys: readonly string[]) => recordsOf(cell(column), keys)
  return {
    ...NO_PARTS,
    type: 'weakness',
    id: `CWE-${cell('CWE-ID').replace(/^CWE-/i, '')}`,
    name: cell('Name'),
    abstraction: filledOrNull(cell('Weakness Abstraction')),
    status: filledOrNull(cell('Status')),
    description: cell('Description'),
    extended_description: cell('Extended Description'),
    related: records('Related Weaknesses', 'NATURE', 'CWE ID', 'VIEW ID', 'ORDINAL', 'CHAIN ID').map((one) => ({
      nature: valueOf(one, 'NATURE') ?? '',
      id: `CWE-${valueOf(one, 'CWE ID') ?? ''}`,
      view: valueOf(one, 'VIEW ID'),
      ordinal: valueOf(one, 'ORDINAL'),
    })),
    platforms: platformsOf(cell('Applicable Platforms')),
    ordinalities: records('Weakness Ordinalities', 'ORDINALITY', 'DESCRIPTION').map(
      (one) => valueOf(one, 'ORDINALITY') ?? '',
    ),
    background: valuesOf(cell('Background Details')),
    alternate_terms: records('Alternate Terms', 'TERM', 'DESCRIPTION').map((one) => ({
      term: valueOf(one, 'TERM') ?? '',
      description: valueOf(one, 'DESCRIPTION'),
    })),
    introduction: records('Modes Of Introduction', 'PHASE', 'NOTE').map((one) => ({
      phase: valueOf(one, 'PHASE') ?? '',
      note: valueOf(one, 'NOTE'),
    })),
    exploitation_factors: valuesOf(cell('Exploitation Factors')),
    likelihood: filledOrNull(cell('Likelihood of Exploit')),
    ...treatmentOf(records),
    observed_examples: records('Observed Examples', 'REFERENCE', 'DESCRIPTION', 'LINK').map((one) => ({
      reference: valueOf(one, 'REFERENCE') ?? '',
      description: valueOf(one, 'DESCRIPTION'),
      link: valueOf(one, 'LINK'),
    })),
    functional_areas: valuesOf(cell('Functional Areas')),
    affected_resources: valuesOf(cell('Affected Resources')),
    taxonomy_mappings: taxonomiesOf(records),
    attack_patterns: valuesOf(cell('Related Attack Patterns')).map((id) => `CAPEC-${id}`),
    notes: records('Notes', 'TYPE', 'NOTE').map((one) => ({
      type: valueOf(one, 'TYPE'),
      text: valueOf(one, 'NOTE') ?? '',
    })),
  }
}

type ReadRecords = (column: string, ...keys: readonly string[]) => ReturnType<typeof recordsOf>

function treatmentOf(records: ReadRecords) {
  return {
    consequences: records('Common Consequences', 'SCOPE', 'IMPACT', 'LIKELIHOOD', 'NOTE').map((one) => ({
      scopes: [...(one.get('SCOPE') ?? [])],
      impacts: [...(one.get('IMPACT') ?? [])],
      likelihood: valueOf(one, 'LIKELIHOOD'),
      note: valueOf(one, 'NOTE'),
    })),
    detection_methods: records('Detection Methods', 'METHOD', 'DESCRIPTION', 'EFFECTIVENESS').map((one) => ({
      method: valueOf(one, 'METHOD') ?? '',
      description: valueOf(one, 'DESCRIPTION'),
      effectiveness: valueOf(one, 'EFFECTIVENESS'),
    })),
    mitigations: records('Potential Mitigations', 'PHASE', 'STRATEGY', 'DESCRIPTION', 'EFFECTIVENESS').map((one) => ({
      phases: [...(one.get('PHASE') ?? [])],
      strategy: valueOf(one, 'STRATEGY'),
      description: valueOf(one, 'DESCRIPTION'),
      effectiveness: valueOf(one, 'EFFECTIVENESS'),
    })),
  }
}

function taxonomiesOf(records: ReadRecords): CweDraft['taxonomy_mappings'] {
  const found = records('Taxonomy Mappings', 'TAXONOMY NAME', 'ENTRY ID', 'ENTRY NAME', 'MAPPING FIT')
  return found.map((one) => ({
    taxonomy: valueOf(one, 'TAXONOMY NAME') ?? '',
    entry_id: valueOf(one, 'ENTRY ID'),
    entry_name: valueOf(one, 'ENTRY NAME'),
    fit: valueOf(one, 'MAPPING FIT'),
  }))
}

/** The key states the kind of platform, and whether it is a class: `LANGUAGE CLASS`, `TECHNOLOGY NAME`. */
function platformsOf(cell: string): CweDraft['platforms'] {
  const keys = PLATFORMS.flatMap((kind) => [`${kind} NAME`, `${kind} CLASS`, `${kind} PREVALENCE`])
  return recordsOf(cell, keys).map((one) => {
    const kind = PLATFORMS.find((name) => [...one.keys()].some((key) => key.startsWith(name))) ?? ''
    return {
      kind: titleCase(kind),
      name: valueOf(one, `${kind} NAME`),
      class: valueOf(one, `${kind} CLASS`),
      prevalence: valueOf(one, `${kind} PREVALENCE`),
    }
  })
}

/** `OPERATING SYSTEM` → `Operating System`, as in the XML. */
function titleCase(words: string): string {
  return words.replace(/\B[A-Z]/g, (letter) => letter.toLowerCase())
}
