import { z } from 'zod'
import type { Document } from '../../../http/answer/answers.ts'
import { acceptedMediaType } from '../../../http/answer/negotiation.ts'
import { id } from '../../../http/input.ts'
import { refuseWithToast } from '../../../http/toast.ts'
import { Refusal } from '../../../platform/errors.ts'
import { MODES, type Mode } from '../../../tables/export-formats.ts'
import { componentQuery as aboutWhat, filterQuery } from '../../authoring/reviews/records/listing.ts'
import { TRIAGE_STATUSES } from '../../authoring/reviews/records/schemas.ts'
import type { ComponentHead, ExportJob } from './files/job.ts'
import { FORMATS, type Format } from './formats.ts'

const flag = z
  .string()
  .optional()
  .transform((text) => text === 'true')
  .meta({ type: 'string', enum: ['true', 'false'], 'x-forgiving': true })

/** The number of components in one export. */
const MAX_COMPONENTS = 500

const ids = z
  .string()
  .transform((text) => text.split(',').map((number) => number.trim()))
  .pipe(z.array(id).min(1).max(MAX_COMPONENTS))
  .meta({ type: 'string', description: 'Numbers, comma-separated', example: '1,2' })

const shared = z.object({
  mode: z.enum(MODES).optional().meta({ description: 'Purpose of the export; each format supports some of them' }),
  version: z.enum(['1.1', '1.2']).optional().meta({ description: 'Version of XCCDF' }),
})

/** The filters of comment lists, so that a filtered list can be exported. */
const commentFilters = {
  section: filterQuery.section,
  author_id: filterQuery.author_id,
  q: filterQuery.q,
  resolved: filterQuery.resolved,
  rule_id: aboutWhat.rule_id,
  commentable_type: aboutWhat.commentable_type,
}

export const componentQuery = shared.extend({
  ...commentFilters,
  exclude_satisfied_by: flag,
  triage_status: z
    .enum([...TRIAGE_STATUSES, 'all'])
    .optional()
    .meta({ description: 'Triage status of the comments to export' }),
  include_srg: flag.meta({ description: 'For archives: include the SRGs' }),
  include_email: flag.meta({ description: 'Include the addresses of commenters; for administrators' }),
})

export const projectQuery = componentQuery.extend({
  component_ids: ids.optional(),
  include_memberships: z
    .string()
    .optional()
    .transform((text) => text !== 'false')
    .meta({
      type: 'string',
      enum: ['true', 'false'],
      'x-default': 'true',
      'x-forgiving': true,
      description: 'For archives: include the members of the project',
    }),
})

export const bulkQuery = shared.extend({ component_ids: ids })

export const typeParam = z.string().meta({ enum: [...FORMATS.keys()] })

/** The media types of all answers, including the pre-flight answer. */
export const MEDIA_TYPES = [
  'text/csv',
  'application/xml',
  'application/zip',
  'application/json',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]

const NOT_AVAILABLE = 'Export not available.'

/** Refuses (400, with a toast) a format that is unknown or not offered here. */
export function requireFormat(
  { type, version }: { readonly type: string; readonly version?: '1.1' | '1.2' | undefined },
  formats: readonly string[] = [...FORMATS.keys()],
): Format {
  const name = type === 'xccdf' && version === '1.2' ? 'xccdf_1_2' : type
  const format = formats.includes(type) ? FORMATS.get(name) : undefined
  if (format !== undefined) return format
  throw refuseParameter(
    'type',
    `Unknown export format ${JSON.stringify(type.slice(0, 50))}. Available: ${formats.join(', ')}.`,
  )
}

/** Takes the requested mode or the default. Refuses (400) a mode that the format does not have. */
export function requireMode({ modes }: Format, requested: Mode | undefined): Mode {
  const mode = modes.find((supported) => supported === (requested ?? modes[0]))
  // The mode `published_stig` has this other name for an SRG.
  if (mode === undefined && requested === 'published_srg' && modes.includes('published_stig')) return 'published_stig'
  if (mode !== undefined) return mode
  throw refuseParameter('mode', `This format does not support ${String(requested)}. Supported: ${modes.join(', ')}.`)
}

function refuseParameter(parameter: string, message: string): Refusal {
  return new Refusal('parameter_invalid', message, {
    parameter,
    toast: { title: NOT_AVAILABLE, message, variant: 'danger' },
  })
}

/** Selects the components whose kind the format supports. Refuses (422) if there is none. */
export function requireSupported({ kinds }: Format, components: readonly ComponentHead[]): ExportJob['components'] {
  const [first, ...others] = components.filter((component) => kinds.includes(component.document_type))
  if (first !== undefined) return [first, ...others]
  const message =
    components.length === 0 ? 'There is no component to export.' : 'This format is for STIG components only.'
  throw refuseWithToast('validation_failed', NOT_AVAILABLE, [{ field: null, message }])
}

/** Web pages first request JSON, to see whether the export would be refused. */
export function isPreflight(accept: string | undefined): boolean {
  const mediaTypes = ['text/html', 'application/json']
  return acceptedMediaType(accept, mediaTypes) === 'application/json'
}

export const READY: Document = {
  mediaType: 'application/json; charset=utf-8',
  fileName: null,
  body: JSON.stringify({ status: 'ok' }),
}
