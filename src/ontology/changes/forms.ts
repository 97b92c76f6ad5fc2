import type { DerivedName } from '../derived/derived-files.ts'
import type { Manifest } from '../release/manifest.ts'
import { jsonPieces } from '../views/json.ts'
import { changesCsv } from './csv.ts'

/** Formats of comparisons. */
export const FORMS = {
  json: { mediaType: 'application/json; charset=utf-8', write: jsonPieces },
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', write: changesCsv },
} as const

export type ChangesForm = keyof typeof FORMS

/** The file that a comparison is kept in, in one of its forms. */
export function derivedNameOf(from: Manifest, to: Manifest, form: ChangesForm): DerivedName {
  const of = [from, to].flatMap(({ version, sha256, releaseDate, prefixes }) => {
    return [version, sha256, releaseDate, JSON.stringify(prefixes)]
  })
  return { kind: 'changes', inputs: [form, ...of] }
}
