import { z } from 'zod'
import { componentRole } from '../components/access.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { idParams } from '../input.ts'
import type { Parts } from '../parts.ts'
import { findReadiness, readiness } from './readiness.ts'

/** `GET /api/components/{id}/readiness.json`. */
export function readinessEndpoint({ database }: Pick<Parts, 'database'>): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/readiness.json',
    operation: 'getComponentReadiness',
    tag: 'Figures',
    summary: 'Everything that stands between a component and its release',
    access: componentRole(database, 'viewer'),
    input: z.object({ params: idParams }),
    answer: readiness,
    handle: ({ grant: { componentId } }) => findReadiness(database.read, componentId),
  })
}
