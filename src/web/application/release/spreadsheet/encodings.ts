import type { components } from '#api-types'

/** The encoding of a CSV file that is not in UTF-8; null for other files. */
export type ReadAs = components['schemas']['PreviewSpreadsheetUpdateAnswer']['encoding']

export type Encoding = NonNullable<ReadAs>['name']

export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'windows-1252': 'Windows-1252 (“CSV” of Excel)',
  'utf-16': 'UTF-16 (“Unicode text” of Excel)',
  'utf-8': 'UTF-8',
}
