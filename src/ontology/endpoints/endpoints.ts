import { z } from 'zod'
import { RDF_TYPES } from '../../graph/syntax/forms.ts'
import { ONTOLOGY_NAME } from '../../graph/vocabulary.ts'
import { everyone } from '../../http/access.ts'
import type { EndpointDescription } from '../../http/endpoint.ts'
import { NO_INPUT } from '../../http/input.ts'
import type { RefusalCode } from '../../platform/errors.ts'
import { JSON_FORMAT } from '../views/json.ts'
import { RESPONSE_SCHEMAS } from '../views/schemas.ts'
import type { View } from '../views/view.ts'
import { CURRENT_FILES, FILES } from '../views/whole/whole.ts'
import { FILE_TYPES, isFilePath } from './files.ts'
import { JSON_PATHS, mediaTypeOf, VIEWS } from './list.ts'

const COMMON_REFUSALS: readonly RefusalCode[] = [
  'bad_host',
  'not_acceptable',
  'overloaded',
  'answer_abandoned',
  'no_release',
  'release_unusable',
]
const RECORD_REFUSALS: readonly RefusalCode[] = [
  'bad_path',
  'identifier_too_long',
  'subject_not_found',
  'unknown_prefix',
]
const PINNED_REFUSALS: readonly RefusalCode[] = ['release_not_found', 'bad_path']

const VERSION = z.string().meta({ description: 'Version of a release', example: '0.1.0-starter' })

const PINNED_FILES = `/ontologies/${ONTOLOGY_NAME}/{version}/`

const NEGOTIATED = [
  ['/ontologies/current', 'getOntology'],
  [`/ontologies/${ONTOLOGY_NAME}`, 'getNamedOntology'],
  [PINNED_FILES.slice(0, -1), 'getOntologyOfRelease'],
] as const

/** Each view and file, of the active release and of a release that the path names. */
export const ontologyEndpoints: readonly EndpointDescription[] = [
  ...VIEWS.flatMap((view) => [describeView(view), describePinned(view, `/releases/{version}${view.path}`)]),
  ...FILES.map(describeView),
  ...FILES.filter(({ path }) => path.startsWith(CURRENT_FILES)).map((view) =>
    describePinned(view, view.path.replace(CURRENT_FILES, PINNED_FILES)),
  ),
  ...NEGOTIATED.map(describeNegotiated),
]

function describeView(view: View): EndpointDescription {
  const parameter = parameterOf(view)
  return {
    methods: ['get'],
    path: view.path,
    operation: view.operation,
    tag: 'Ontology',
    summary: view.summary,
    access: everyone,
    input: parameter === null ? NO_INPUT : z.object({ params: z.object(parameter) }),
    answer: RESPONSE_SCHEMAS[view.responseType],
    answerName: view.responseType,
    published: true,
    mediaTypes: mediaTypesOf(view),
    ranged: isFilePath(view.path),
    refusals: [...(parameter === null ? [] : RECORD_REFUSALS), ...refusalsAt(view.path)],
  }
}

/** Describes a view of the release that the path names. Its answers never change. */
function describePinned(view: View, path: string): EndpointDescription {
  const active = describeView(view)
  return {
    ...active,
    path,
    operation: `${view.operation}OfRelease`,
    summary: `${view.summary}, as a release has it`,
    input: z.object({ params: z.object({ version: VERSION, ...parameterOf(view) }) }),
    refusals: [...(active.refusals ?? []), ...PINNED_REFUSALS],
  }
}

function mediaTypesOf(view: View): readonly string[] {
  const { kind, path, format, responseType } = view
  if (responseType === 'File') return [mediaTypeOf(view)]
  if (kind === 'record' && format !== JSON_FORMAT) return [mediaTypeOf(view)]
  if (kind === 'record') return RDF_TYPES
  return JSON_PATHS.has(path) ? ['text/csv'] : []
}

/** Describes an address without a file name: the Accept header chooses the file. */
function describeNegotiated([path, operation]: (typeof NEGOTIATED)[number]): EndpointDescription {
  const isPinned = path.includes('{')
  return {
    methods: ['get'],
    path,
    operation,
    tag: 'Ontology',
    summary: 'The whole ontology, in the syntax that Accept asks for; Turtle by default',
    access: everyone,
    input: isPinned ? z.object({ params: z.object({ version: VERSION }) }) : NO_INPUT,
    answer: RESPONSE_SCHEMAS.File,
    published: true,
    mediaTypes: FILE_TYPES,
    ranged: true,
    refusals: [...refusalsAt(path), ...(isPinned ? PINNED_REFUSALS : [])],
  }
}

function refusalsAt(path: string): readonly RefusalCode[] {
  return isFilePath(path) ? [...COMMON_REFUSALS, 'range_not_satisfiable'] : COMMON_REFUSALS
}

function parameterOf(view: View): Readonly<Record<string, z.ZodString>> | null {
  if (view.kind === 'document') return null
  const { name, description, example } = view.parameter
  return { [name]: z.string().meta({ description, example }) }
}
