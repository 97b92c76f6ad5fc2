import { stat } from 'node:fs/promises'
import {
  fileRepresentation,
  packedRepresentation,
  packingFor,
  requireCoding,
  type Packing,
  type Representation,
} from '../../http/answer/representation.ts'
import type { PublishedEndpoint } from '../../http/published-routes.ts'
import { CURRENT, IMMUTABLE_HEADER, VARY } from '../response-headers.ts'
import type { Answer } from '../served-release.ts'
import type { OntologyService } from '../service.ts'
import type { Reports } from './reports.ts'

type Represent = PublishedEndpoint<OntologyService>['represent']
type Params = Readonly<Record<string, string>>

/** Represents a report that may change with every release. */
export function current(make: (reports: Reports, packing: Packing, params: Params) => Promise<Answer>): Represent {
  return ({ reports }, { params, headers }) =>
    represent(CURRENT, headers['accept-encoding'], (packing) => make(reports, packing, params))
}

/** Represents a report that never changes. */
export function pinned(make: (reports: Reports, packing: Packing, params: Params) => Promise<Answer>): Represent {
  return ({ reports }, { params, headers }) =>
    represent(IMMUTABLE_HEADER, headers['accept-encoding'], (packing) => make(reports, packing, params))
}

async function represent(
  caching: readonly string[],
  acceptEncoding: string | undefined,
  make: (packing: Packing) => Promise<Answer>,
): Promise<Representation> {
  const coding = requireCoding(acceptEncoding)
  return packedRepresentation(await make(packingFor(coding)), { coding, headers: [...caching, ...VARY] })
}

/** The file with the graph of a release, straight from the disk. */
export const graphFile: Represent = async (service, { params: { version = '', file = '' }, headers }) => {
  const { path, sha256 } = await service.graphFile(version, file)
  const isPacked = requireCoding(headers['accept-encoding']) !== 'identity'
  const { size } = await stat(path)
  const mediaType = 'application/n-quads'
  return fileRepresentation({ path, size, mediaType, sha256, isPacked, headers: [...IMMUTABLE_HEADER, ...VARY] })
}
