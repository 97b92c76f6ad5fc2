import { z } from 'zod'
import { everyone } from '../../../http/access.ts'
import { isStorable } from '../../../http/input.ts'
import { shortId } from '../xccdf/id.ts'

/** The parts that all endpoints of the open catalogue share. */
export const COMMON_PARTS = {
  method: 'get',
  tag: 'Open catalogue',
  access: everyone,
  open: true,
  revalidates: true,
  refusals: ['not_found'],
} as const

const MAX_NAME_LENGTH = 500

const name = z.string().max(MAX_NAME_LENGTH).refine(isStorable, 'has characters that ids cannot have')

/** Ids in the form of XCCDF 1.2 are shortened, so that they find the same. */
export const benchmarkId = name
  .transform((id) => shortId('benchmark', id))
  .meta({ description: 'Also a former id of the benchmark', example: 'RHEL_9_STIG' })

export const version = name.meta({ example: 'V2R7' })

export const ruleName = name
  .transform((id) => shortId('rule', id))
  .meta({
    description: 'Its rule id, in any revision, its group id (V-257777) or version (STIG id)',
    example: 'V-257777',
  })

export const releaseParams = z.object({ benchmark_id: benchmarkId, version })
