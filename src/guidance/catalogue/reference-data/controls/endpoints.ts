import { z } from 'zod'
import { DOCUMENT } from '../../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { isStorable } from '../../../../http/input.ts'
import { COMMON_PARTS } from '../../open/input.ts'
import type { ReferenceParts } from '../reference-parts.ts'
import { controlAnswer } from '../schemas.ts'
import { readControl, readMatrix } from './documents.ts'

const id = z.string().max(100).refine(isStorable).meta({
  description: 'AC-2 (1), AC-2(1), or ac-2.1',
  example: 'AC-2 (1)',
})

const CONTROL = { ...COMMON_PARTS, input: z.object({ params: z.object({ id }) }) }

/** A control of NIST SP 800-53 with its CCIs and rules, whole and as a table. */
export function controlEndpoints({ database: { read }, links }: ReferenceParts): readonly Endpoint[] {
  const document = endpoint({
    ...CONTROL,
    path: '/api/catalogue/controls/{id}.json',
    operation: 'getControl',
    summary: 'A control of NIST SP 800-53: its text, its CCIs, and the rules of each product that cite these',
    answer: controlAnswer,
    refusals: ['reference_data_absent', 'not_found'],
    handle: async ({ input: { params } }) => readControl({ reader: read, links: await links.current() }, params.id),
  })
  const matrix = endpoint({
    ...CONTROL,
    path: '/api/catalogue/controls/{id}.csv',
    operation: 'getControlMatrix',
    summary: 'The rules of all products that cite a CCI of a control, as a table with one row for each CCI',
    answer: DOCUMENT,
    mediaTypes: ['text/csv'],
    refusals: ['reference_data_absent', 'not_found'],
    handle: ({ input: { params } }) => readMatrix(read, params.id),
  })
  return [document, matrix]
}
