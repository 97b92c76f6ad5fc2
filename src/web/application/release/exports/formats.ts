import { EXPORT_FORMATS, type ExportChoice } from '../../../../tables/export-formats.ts'

/** An export of a component that a person may choose. */
export interface OfferedExport extends ExportChoice {
  readonly type: string
}

/** The exports for a kind of component and the role of a person. */
export function exportsFor(kind: 'stig' | 'srg', isAuthor: boolean): readonly OfferedExport[] {
  return EXPORT_FORMATS.filter(
    ({ kinds, forAuthors }) => kinds.some((supported) => supported === kind) && (isAuthor || !forAuthors),
  ).flatMap(({ type, choices }) => choices.map((choice) => ({ ...choice, type })))
}

/** The path of the API. */
export function pathOf(component: number, { type, query }: OfferedExport): string {
  const parameters = new URLSearchParams(query).toString()
  return `/components/${component}/export/${type}${parameters === '' ? '' : `?${parameters}`}`
}

/** The name that an answer gives its file. */
export function fileNameOf(disposition: string | null, otherwise: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  const plainName = /filename=("[^"]+"|[^;\s"]+)/i.exec(disposition ?? '')?.[1]
  return plainName?.replaceAll('"', '') ?? otherwise
}

/** Adds the chosen mode to a file name, so that two modes of a format are two files. */
export function fileNameIn(mode: string | undefined, name: string): string {
  if (mode === undefined) return name
  return name.replace(/(?=\.[^.]+$)|$/, `-${mode.replaceAll('_', '-')}`)
}
