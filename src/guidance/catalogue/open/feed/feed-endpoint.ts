import { DOCUMENT } from '../../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { NO_INPUT } from '../../../../http/input.ts'
import type { Parts } from '../../../parts/parts.ts'
import { listReleases } from '../../benchmarks/releases.ts'
import { FEED_ADDRESS } from '../addresses.ts'
import { COMMON_PARTS } from '../input.ts'
import { benchmarkFeed } from './feed.ts'

const FEED_TYPE = 'application/atom+xml'

export function feedEndpoint({ database, baseUrl }: Parts): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: FEED_ADDRESS,
    operation: 'getCatalogueFeed',
    summary: 'The newest releases of SRGs and STIGs as an Atom feed',
    refusals: [],
    input: NO_INPUT,
    answer: DOCUMENT,
    mediaTypes: [FEED_TYPE],
    handle: async () => ({
      mediaType: `${FEED_TYPE}; charset=utf-8`,
      fileName: null,
      body: benchmarkFeed(await listReleases(database.read), baseUrl),
    }),
  })
}
