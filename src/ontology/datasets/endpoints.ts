import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { alternatesLink, contentTypeOf, RDF_TYPES, rdfFormOf, type RdfForm } from '../../graph/syntax/forms.ts'
import type { Statement } from '../../graph/term.ts'
import { everyone } from '../../http/access.ts'
import { DOCUMENT } from '../../http/answer/answers.ts'
import { requireAccepted } from '../../http/answer/negotiation.ts'
import type { Representation } from '../../http/answer/representation.ts'
import { NO_INPUT } from '../../http/input.ts'
import type { PublishedEndpoint } from '../../http/published-routes.ts'
import { Refusal } from '../../platform/errors.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import { CURRENT } from '../response-headers.ts'
import type { ServedRelease } from '../served-release.ts'
import type { OntologyService } from '../service.ts'
import { ABOUT_PATH, readAbout } from './about.ts'
import { describeDatasets, writeDatasets, type Datasets } from './description.ts'

export interface DatasetParts extends Pick<Datasets, 'baseUrl' | 'hasSparql'> {
  readonly folder: ReleaseFolder
  readonly service: Pick<OntologyService, 'opened'>
}

/** Turtle first. */
const TYPES = ['text/turtle', ...RDF_TYPES.filter((type) => type !== 'text/turtle')]

/** Describes the available data: addresses, formats and sizes. */
export const datasetEndpoint: PublishedEndpoint<DatasetParts> = {
  methods: ['get'],
  path: '/.well-known/void',
  operation: 'getDatasets',
  tag: 'Linked data',
  summary: 'Description of the data: releases, files, counts and licences (VoID, DCAT)',
  access: everyone,
  input: NO_INPUT,
  answer: DOCUMENT,
  published: true,
  mediaTypes: RDF_TYPES,
  refusals: ['bad_host', 'not_acceptable'],
  represent: async (parts, { headers }) => {
    const form = requireAccepted(headers.accept, TYPES, (type, profiles) => rdfFormOf(type, profiles) ?? 'turtle')
    return describeDataset(writeDatasets(describeDatasets(await findDatasets(parts)), form), form)
  },
}

function describeDataset(body: string, form: RdfForm): Representation {
  const digest = createHash('sha256').update(body).digest('hex')
  return {
    etag: `"${digest.slice(0, 32)}-${form}"`,
    content: ['Content-Type', contentTypeOf(form)],
    validators: [...CURRENT, 'Vary', 'Accept', 'Link', alternatesLink()],
    length: Buffer.byteLength(body),
    isRanged: false,
    read: () => body,
  }
}

async function findDatasets({ folder, service, ...rest }: DatasetParts): Promise<Datasets> {
  const versions = [...(await folder.versions())].sort()
  // Damaged releases are left out. A request for one explains what is wrong.
  const manifests = await Promise.all(versions.map((version) => folder.manifest(version).catch(() => null)))
  const current = await service.opened()
  return {
    ...rest,
    releases: manifests.filter((manifest) => manifest !== null),
    active: current?.manifest.version ?? null,
    about: current === null ? [] : await findAbout(current),
    hasGuidance: true,
    hasDescriptions: true,
  }
}

const aboutByRelease = new WeakMap<ServedRelease, readonly Statement[]>()

/** Read once for each release: it never changes. */
async function findAbout(release: ServedRelease): Promise<readonly Statement[]> {
  const cached = aboutByRelease.get(release)
  if (cached !== undefined) return cached
  const answer = await release.answer(ABOUT_PATH, 'gzip', 'nTriples').catch((error: unknown) => {
    // An ontology may lack statements about itself.
    if (error instanceof Refusal && error.code === 'subject_not_found') return null
    throw error
  })
  const about = answer === null ? [] : readAbout((await promisify(gunzip)(answer.body)).toString())
  aboutByRelease.set(release, about)
  return about
}
