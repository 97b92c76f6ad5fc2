import { z } from 'zod'
import { everyone } from '../../http/access.ts'
import type { Described } from '../../http/endpoint.ts'
import { NO_INPUT } from '../../http/input.ts'
import type { RefusalCode } from '../../platform/errors.ts'
import { RESPONSE_SCHEMAS } from '../views/schemas.ts'
import type { View } from '../views/view.ts'
import { JSON_PATHS, VIEWS } from './list.ts'

const OF_ALL: readonly RefusalCode[] = [
  ...(['bad_host', 'not_acceptable', 'overloaded', 'answer_abandoned'] as const),
  ...(['no_release', 'release_unusable'] as const),
]
const OF_RECORDS: readonly RefusalCode[] = [
  ...(['bad_path', 'identifier_too_long'] as const),
  ...(['subject_not_found', 'unknown_prefix'] as const),
]
const OF_PINNED: readonly RefusalCode[] = ['release_not_found', 'bad_path']

const VERSION = z.string().meta({ description: 'Of a release', example: '0.1.0-starter' })

/** Each view of the release that is active, and of a release that is named. */
export const ontologyEndpoints: readonly Described[] = VIEWS.flatMap((view) => [
  ofActiveRelease(view),
  ofPinnedRelease(view),
])

function ofActiveRelease(view: View): Described {
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
    mediaTypes: JSON_PATHS.has(view.path) ? ['text/csv'] : [],
    refusals: [...(parameter === null ? [] : OF_RECORDS), ...OF_ALL],
  }
}

/** The same of a release that is named; it never changes. */
function ofPinnedRelease(view: View): Described {
  const active = ofActiveRelease(view)
  return {
    ...active,
    path: `/releases/{version}${view.path}`,
    operation: `${view.operation}OfRelease`,
    summary: `${view.summary}, as a release has it`,
    input: z.object({ params: z.object({ version: VERSION, ...parameterOf(view) }) }),
    refusals: [...(active.refusals ?? []), ...OF_PINNED],
  }
}

function parameterOf(view: View): Readonly<Record<string, z.ZodString>> | null {
  if (view.kind === 'document') return null
  const { name, description, example } = view.parameter
  return { [name]: z.string().meta({ description, example }) }
}
