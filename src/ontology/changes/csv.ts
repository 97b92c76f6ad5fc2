import { stringify } from 'csv-stringify/sync'
import { guardFormulas } from '../../platform/csv/formula-guard.ts'
import type { Change, Changes } from './schema.ts'

const HEADER = ['kind', 'change', 'name', 'id', 'label', 'property', 'old', 'new', 'successor', 'confidence']

/** Rows that are written at once. */
const PIECE = 500

/** One row for each change, and one for each statement between records; several values have a line each. */
export function* changesCsv({ changes, statements }: Changes): Generator<string, void> {
  const rows = [
    ...changes.map(toRow),
    ...statements.added.map(({ subject, relation, object }) => statementRow('added', [subject, relation, '', object])),
    ...statements.removed.map(({ subject, relation, object }) =>
      statementRow('removed', [subject, relation, object, '']),
    ),
  ]
  yield csvLines([HEADER])
  for (let start = 0; start < rows.length; start += PIECE) yield csvLines(rows.slice(start, start + PIECE))
}

type Row = readonly string[]

function toRow({ kind, change, name, id, label, property, old, new: now, successors }: Change): Row {
  return [
    kind,
    change,
    name,
    id ?? '',
    label ?? '',
    property ?? '',
    ...[old, now].map((values) => values?.join('\n') ?? ''),
    successors?.map((one) => one.name).join('\n') ?? '',
    successors?.map(({ confidence }) => String(confidence)).join('\n') ?? '',
  ]
}

function statementRow(change: string, [subject, relation, old, now]: readonly string[]): Row {
  return ['statement', change, subject ?? '', '', '', relation ?? '', old ?? '', now ?? '', '', '']
}

function csvLines(rows: readonly Row[]): string {
  return stringify(
    rows.map((row) => row.map(guardFormulas)),
    { record_delimiter: 'windows', quoted_match: /[\r\n]/ },
  )
}
