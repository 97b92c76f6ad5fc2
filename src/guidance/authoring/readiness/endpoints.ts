import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole } from '../access/component-access.ts'
import { findReadiness, readiness } from './readiness.ts'

/** `GET /api/components/{id}/readiness.json`. */
export function readinessEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/readiness.json',
    operation: 'getComponentReadiness',
    tag: 'Figures',
    summary: 'What is left to do before a component can be released',
    access: componentRole(database, 'viewer'),
    input: z.object({ params: idParams }),
    answer: readiness,
    handle: ({ grant: { componentId } }) => findReadiness(database.read, componentId),
  })
}
