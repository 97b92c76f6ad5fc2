import { guardedCsvLines } from '../../platform/csv/csv.ts'
import { jsonPieces } from '../../platform/json.ts'
import type { DerivedName } from '../derived/derived-files.ts'
import type { Manifest } from '../release/manifest.ts'
import type { Change, Changes } from './schema.ts'

const HEADER = ['kind', 'change', 'name', 'id', 'label', 'property', 'old', 'new', 'successor', 'confidence']

/** Rows that are written at once. */
const BATCH_SIZE = 500

type Row = readonly string[]

/** Formats of comparisons. */
export const FORMS = {
  json: { mediaType: 'application/json; charset=utf-8', write: jsonPieces },
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', write: changesCsv },
} as const

export type ChangesForm = keyof typeof FORMS

/** The file that a comparison is kept in, in one of its forms. */
export function derivedNameOf(from: Manifest, to: Manifest, form: ChangesForm): DerivedName {
  const inputs = [from, to].flatMap(({ version, sha256, releaseDate, prefixes }) => {
    return [version, sha256, releaseDate, JSON.stringify(prefixes)]
  })
  return { kind: 'changes', inputs: [form, ...inputs] }
}

/** One row for each change, and one for each statement between records; several values have a line each. */
export function* changesCsv({ changes, statements }: Changes): Generator<string, void> {
  const rows = [
    ...changes.map(toRow),
    ...statements.added.map(({ subject, relation, object }) => statementRow('added', [subject, relation, '', object])),
    ...statements.removed.map(({ subject, relation, object }) =>
      statementRow('removed', [subject, relation, object, '']),
    ),
  ]
  yield guardedCsvLines([HEADER])
  for (let start = 0; start < rows.length; start += BATCH_SIZE)
    yield guardedCsvLines(rows.slice(start, start + BATCH_SIZE))
}

function toRow({ kind, change, name, id, label, property, old, new: now, successors }: Change): Row {
  return [
    kind,
    change,
    name,
    id ?? '',
    label ?? '',
    property ?? '',
    joinLines(old),
    joinLines(now),
    joinLines(successors?.map((successor) => successor.name)),
    joinLines(successors?.map(({ confidence }) => String(confidence))),
  ]
}

function joinLines(values: readonly string[] = []): string {
  return values.join('\n')
}

function statementRow(change: string, [subject, relation, old, now]: readonly string[]): Row {
  return ['statement', change, subject ?? '', '', '', relation ?? '', old ?? '', now ?? '', '', '']
}
