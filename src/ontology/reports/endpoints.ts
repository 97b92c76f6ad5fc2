import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { everyone } from '../../http/access.ts'
import { DOCUMENT } from '../../http/answer/answers.ts'
import {
  fileRepresentation,
  packedRepresentation,
  type PackedContent,
  type Packing,
  packingFor,
  type Representation,
  requireCoding,
} from '../../http/answer/representation.ts'
import type { InputSchema } from '../../http/endpoint.ts'
import { NO_INPUT } from '../../http/input.ts'
import type { PublishedEndpoint } from '../../http/published-routes.ts'
import type { RefusalCode } from '../../platform/errors.ts'
import { changesSchema } from '../changes/schema.ts'
import { manifestFileSchema } from '../release/manifest.ts'
import { CURRENT, IMMUTABLE_HEADER, VARY } from '../response-headers.ts'
import type { OntologyService } from '../service.ts'
import { hashesSchema } from './hashes.ts'
import { releasesSchema } from './list.ts'
import type { Reports } from './reports.ts'

type Represent = PublishedEndpoint<OntologyService>['represent']

type Params = Readonly<Record<string, string>>

/** The file with the graph of a release, straight from the disk. */
const graphFile: Represent = async (service, { params: { version = '', file = '' }, headers }) => {
  const { path, sha256 } = await service.graphFile(version, file)
  const isPacked = requireCoding(headers['accept-encoding']) !== 'identity'
  const { size } = await stat(path)
  const mediaType = 'application/n-quads'
  return fileRepresentation({ path, size, mediaType, sha256, isPacked, headers: [...IMMUTABLE_HEADER, ...VARY] })
}

const COMMON_REFUSALS: readonly RefusalCode[] = ['bad_host', 'not_acceptable', 'folder_unusable']
const RELEASE_REFUSALS: readonly RefusalCode[] = [
  ...COMMON_REFUSALS,
  'bad_path',
  'release_not_found',
  'overloaded',
  'answer_abandoned',
  'release_unusable',
]

const version = z.string().meta({ description: 'Version of a release', example: '0.1.0-starter' })
const ONE_RELEASE = z.object({ params: z.object({ version }) })
const TWO_RELEASES = z.object({ params: z.object({ from: version, to: version }) })
const GRAPH_FILE = z.object({
  params: z.object({ version, file: z.string().meta({ description: 'As the manifest names it' }) }),
})

/** Endpoints that report on releases: their list, their changes, and the files for a copy. */
export const reportEndpoints: readonly PublishedEndpoint<OntologyService>[] = [
  report('/api/releases.json', 'listReleases', {
    summary: 'All releases of the ontology that this service has, the newest first',
    answer: releasesSchema,
    represent: current((reports, packing) => reports.list(packing)),
  }),
  report('/api/releases.atom', 'listReleasesAsFeed', {
    summary: 'The releases as an Atom feed',
    mediaTypes: ['application/atom+xml'],
    represent: current((reports, packing) => reports.feed(packing)),
  }),
  report('/api/releases/{version}/hashes.json', 'listHashesOfRelease', {
    summary: 'Size and SHA-256 of every answer of a release, for mirrors',
    answer: hashesSchema,
    input: ONE_RELEASE,
    represent: current((reports, packing, { version: releaseVersion = '' }) => reports.hashes(releaseVersion, packing)),
  }),
  report('/api/releases/{from}/changes/{to}.json', 'compareReleases', {
    summary: 'Changes from one release to another, with probable successors of removed records',
    answer: changesSchema,
    input: TWO_RELEASES,
    represent: current((reports, packing, { from = '', to = '' }) =>
      reports.changes({ from, to, form: 'json' }, packing),
    ),
  }),
  report('/api/releases/{from}/changes/{to}.csv', 'compareReleasesAsCsv', {
    summary: 'Changes from one release to another, as a table',
    mediaTypes: ['text/csv'],
    input: TWO_RELEASES,
    represent: current((reports, packing, { from = '', to = '' }) =>
      reports.changes({ from, to, form: 'csv' }, packing),
    ),
  }),
  report('/releases/{version}/manifest.json', 'getManifestOfRelease', {
    summary: 'Manifest of a release: digest, sources, counts, checks, prefixes',
    answer: manifestFileSchema,
    input: ONE_RELEASE,
    represent: pinned((reports, packing, { version: releaseVersion = '' }) =>
      reports.manifest(releaseVersion, packing),
    ),
  }),
  report('/releases/{version}/{file}', 'getGraphOfRelease', {
    summary: 'The canonical N-Quads of a release, from which its digest is computed',
    mediaTypes: ['application/n-quads'],
    input: GRAPH_FILE,
    ranged: true,
    represent: graphFile,
  }),
]

interface ReportDescription {
  readonly summary: string
  /** Default: a document of `mediaTypes`. */
  readonly answer?: z.ZodType
  readonly mediaTypes?: readonly string[]
  /** Default: none. */
  readonly input?: InputSchema
  readonly ranged?: boolean
  readonly represent: PublishedEndpoint<OntologyService>['represent']
}

function report(
  path: string,
  operation: string,
  { summary, answer = DOCUMENT, mediaTypes = [], input = NO_INPUT, ranged = false, represent }: ReportDescription,
): PublishedEndpoint<OntologyService> {
  return {
    methods: ['get'],
    path,
    operation,
    tag: 'Releases',
    summary,
    access: everyone,
    input,
    answer,
    mediaTypes,
    published: true,
    represent,
    ranged,
    refusals: [
      ...(input === NO_INPUT ? COMMON_REFUSALS : ([...RELEASE_REFUSALS, 'route_not_found'] as const)),
      ...(ranged ? (['range_not_satisfiable'] as const) : []),
    ],
  }
}

/** Represents a report that may change with every release. */
function current(make: (reports: Reports, packing: Packing, params: Params) => Promise<PackedContent>): Represent {
  return ({ reports }, { params, headers }) =>
    represent(CURRENT, headers['accept-encoding'], (packing) => make(reports, packing, params))
}

/** Represents a report that never changes. */
function pinned(make: (reports: Reports, packing: Packing, params: Params) => Promise<PackedContent>): Represent {
  return ({ reports }, { params, headers }) =>
    represent(IMMUTABLE_HEADER, headers['accept-encoding'], (packing) => make(reports, packing, params))
}

async function represent(
  caching: readonly string[],
  acceptEncoding: string | undefined,
  make: (packing: Packing) => Promise<PackedContent>,
): Promise<Representation> {
  const coding = requireCoding(acceptEncoding)
  return packedRepresentation(await make(packingFor(coding)), { coding, headers: [...caching, ...VARY] })
}
