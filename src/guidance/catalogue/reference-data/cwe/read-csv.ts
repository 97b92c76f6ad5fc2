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
    related: records('Related Weaknesses', 'NATURE', 'CWE ID', 'VIEW ID', 'ORDINAL', 'CHAIN ID').map((record) => ({
      nature: valueOf(record, 'NATURE') ?? '',
      id: `CWE-${valueOf(record, 'CWE ID') ?? ''}`,
      view: valueOf(record, 'VIEW ID'),
      ordinal: valueOf(record, 'ORDINAL'),
    })),
    platforms: platformsOf(cell('Applicable Platforms')),
    ordinalities: records('Weakness Ordinalities', 'ORDINALITY', 'DESCRIPTION').map(
      (record) => valueOf(record, 'ORDINALITY') ?? '',
    ),
    background: valuesOf(cell('Background Details')),
    alternate_terms: records('Alternate Terms', 'TERM', 'DESCRIPTION').map((record) => ({
      term: valueOf(record, 'TERM') ?? '',
      description: valueOf(record, 'DESCRIPTION'),
    })),
    introduction: records('Modes Of Introduction', 'PHASE', 'NOTE').map((record) => ({
      phase: valueOf(record, 'PHASE') ?? '',
      note: valueOf(record, 'NOTE'),
    })),
    exploitation_factors: valuesOf(cell('Exploitation Factors')),
    likelihood: filledOrNull(cell('Likelihood of Exploit')),
    ...treatmentOf(records),
    observed_examples: records('Observed Examples', 'REFERENCE', 'DESCRIPTION', 'LINK').map((record) => ({
      reference: valueOf(record, 'REFERENCE') ?? '',
      description: valueOf(record, 'DESCRIPTION'),
      link: valueOf(record, 'LINK'),
    })),
    functional_areas: valuesOf(cell('Functional Areas')),
    affected_resources: valuesOf(cell('Affected Resources')),
    taxonomy_mappings: taxonomiesOf(records),
    attack_patterns: valuesOf(cell('Related Attack Patterns')).map((id) => `CAPEC-${id}`),
    notes: records('Notes', 'TYPE', 'NOTE').map((record) => ({
      type: valueOf(record, 'TYPE'),
      text: valueOf(record, 'NOTE') ?? '',
    })),
  }
}

type ReadRecords = (column: string, ...keys: readonly string[]) => ReturnType<typeof recordsOf>

function treatmentOf(records: ReadRecords) {
  return {
    consequences: records('Common Consequences', 'SCOPE', 'IMPACT', 'LIKELIHOOD', 'NOTE').map((record) => ({
      scopes: [...(record.get('SCOPE') ?? [])],
      impacts: [...(record.get('IMPACT') ?? [])],
      likelihood: valueOf(record, 'LIKELIHOOD'),
      note: valueOf(record, 'NOTE'),
    })),
    detection_methods: records('Detection Methods', 'METHOD', 'DESCRIPTION', 'EFFECTIVENESS').map((record) => ({
      method: valueOf(record, 'METHOD') ?? '',
      description: valueOf(record, 'DESCRIPTION'),
      effectiveness: valueOf(record, 'EFFECTIVENESS'),
    })),
    mitigations: records('Potential Mitigations', 'PHASE', 'STRATEGY', 'DESCRIPTION', 'EFFECTIVENESS').map(
      (record) => ({
        phases: [...(record.get('PHASE') ?? [])],
        strategy: valueOf(record, 'STRATEGY'),
        description: valueOf(record, 'DESCRIPTION'),
        effectiveness: valueOf(record, 'EFFECTIVENESS'),
      }),
    ),
  }
}

function taxonomiesOf(records: ReadRecords): CweDraft['taxonomy_mappings'] {
  const mappings = records('Taxonomy Mappings', 'TAXONOMY NAME', 'ENTRY ID', 'ENTRY NAME', 'MAPPING FIT')
  return mappings.map((record) => ({
    taxonomy: valueOf(record, 'TAXONOMY NAME') ?? '',
    entry_id: valueOf(record, 'ENTRY ID'),
    entry_name: valueOf(record, 'ENTRY NAME'),
    fit: valueOf(record, 'MAPPING FIT'),
  }))
}

/** The key states the kind of platform, and whether it is a class: `LANGUAGE CLASS`, `TECHNOLOGY NAME`. */
function platformsOf(cell: string): CweDraft['platforms'] {
  const keys = PLATFORMS.flatMap((kind) => [`${kind} NAME`, `${kind} CLASS`, `${kind} PREVALENCE`])
  return recordsOf(cell, keys).map((record) => {
    const kind = PLATFORMS.find((name) => [...record.keys()].some((key) => key.startsWith(name))) ?? ''
    return {
      kind: titleCase(kind),
      name: valueOf(record, `${kind} NAME`),
      class: valueOf(record, `${kind} CLASS`),
      prevalence: valueOf(record, `${kind} PREVALENCE`),
    }
  })
}

/** `OPERATING SYSTEM` → `Operating System`, as in the XML. */
function titleCase(words: string): string {
  return words.replace(/\B[A-Z]/g, (letter) => letter.toLowerCase())
}
