import { nearestNames } from '../../graph/nearest.ts'
import { SYNTAXES } from '../../graph/syntax/syntaxes.ts'
import { ONTOLOGY_NAME } from '../../graph/vocabulary.ts'
import { acceptedForm, acceptedMediaType } from '../../http/answer/negotiation.ts'
import { Refusal } from '../../platform/errors.ts'
import { CURRENT_FILES, FILE_NAMES, FILES } from '../views/whole/whole.ts'

/** Addresses of a release without a file name, where the Accept header chooses the file. */
export const NEGOTIATED_PATHS: ReadonlySet<string> = new Set([
  CURRENT_FILES,
  CURRENT_FILES.slice(0, -1),
  `/ontologies/${ONTOLOGY_NAME}`,
])

const TYPES: ReadonlyMap<string, string> = new Map(
  FILES.map(({ path, format }) => [path, format.mediaType.replace(/;.*/, '')]),
)

const BY_TYPE: ReadonlyMap<string, string> = new Map([
  ...Object.values(SYNTAXES).map(
    ({ mediaType, extension }) => [mediaType, `${CURRENT_FILES}${ONTOLOGY_NAME}.${extension}`] as const,
  ),
  ['application/json', `${CURRENT_FILES}${ONTOLOGY_NAME}.json`],
])

const PINNED_FILE = new RegExp(`^/ontologies/${ONTOLOGY_NAME}/([^/]+)((?:/[^/]*)?)$`)

/** The version in the address of a file, and its path below `/ontologies/current`; null for other addresses. */
export function pinnedFile(raw: string): readonly [version: string | null, path: string] | null {
  const [, version, below = ''] = PINNED_FILE.exec(raw) ?? []
  if (version === undefined) return null
  return [version === 'current' ? null : version, CURRENT_FILES.slice(0, -1) + below]
}

/** Whether a decoded path is below where the files are. */
export function isFilePath(path: string): boolean {
  return path.startsWith('/ontologies/')
}

/**
 * The path of the requested file. The Accept header chooses it if the address names no file; otherwise it may only
 * refuse the media type of the file. Refuses unknown files, with the nearest names.
 */
export function requireFile(
  { version, path }: { readonly version: string | null; readonly path: string },
  accept: string | undefined,
): string {
  if (NEGOTIATED_PATHS.has(path)) return negotiatedFile(accept)
  const type = TYPES.get(path)
  if (type === undefined) throw unknownFile(version, path)
  if (acceptedForm(accept, [type]) !== null) return path
  throw new Refusal('not_acceptable', `Available: ${type}. Accept does not allow it.`)
}

/** The media types that are available at an address without a file name. */
export const FILE_TYPES: readonly string[] = [...BY_TYPE.keys()]

function negotiatedFile(accept: string | undefined): string {
  const file = BY_TYPE.get(acceptedMediaType(accept, FILE_TYPES) ?? '')
  if (file !== undefined) return file
  throw new Refusal('not_acceptable', `Available: ${FILE_TYPES.join(', ')}. Accept allows none of them.`)
}

function unknownFile(version: string | null, path: string): Refusal {
  const fileName = path.slice(path.lastIndexOf('/') + 1)
  const folder = version === null ? CURRENT_FILES : `/ontologies/${ONTOLOGY_NAME}/${version}/`
  const target = path.startsWith(CURRENT_FILES) ? folder + path.slice(CURRENT_FILES.length) : path
  const spellings = FILE_NAMES.map((name) => ({ folded: name, name }))
  const suggestions = nearestNames(fileName.toLowerCase(), spellings).map(({ name }) => folder + name)
  const hint = suggestions[0] === undefined ? '' : ` Did you mean ${suggestions[0]}?`
  return new Refusal(
    'route_not_found',
    `There is no ${target}. Files are ${CURRENT_FILES}NAME and /ontologies/${ONTOLOGY_NAME}/VERSION/NAME; ` +
      `NAME is ${FILE_NAMES.join(', ')}.${hint}`,
    suggestions.length === 0 ? {} : { did_you_mean: suggestions },
  )
}
