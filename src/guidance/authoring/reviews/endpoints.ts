import type { Endpoint } from '../../../http/endpoint.ts'
import type { Parts } from '../../parts/parts.ts'
import { commentClusterEndpoints } from './cluster-endpoints.ts'
import { commentGroupEndpoints } from './group-endpoints.ts'
import { commentListEndpoints } from './list-endpoints.ts'
import { moderationEndpoints } from './moderation-endpoints.ts'
import { postEndpoints } from './post-endpoints.ts'
import { responseEndpoints } from './response-endpoints.ts'
import { suggestionEndpoint } from './suggestion-endpoint.ts'
import { triageEndpoints } from './triage-endpoints.ts'

/** Comments on guidance, their triage, and the review of rules. */
export function reviewEndpoints(parts: Parts): readonly Endpoint[] {
  return [
    ...postEndpoints(parts),
    ...triageEndpoints(parts),
    suggestionEndpoint(parts),
    ...moderationEndpoints(parts),
    ...responseEndpoints(parts),
    ...commentListEndpoints(parts),
    ...commentGroupEndpoints(parts),
    ...commentClusterEndpoints(parts),
  ]
}
