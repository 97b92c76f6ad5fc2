import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Router } from 'express'
import {
  alternatesLink,
  contentTypeOf,
  RDF_TYPES,
  rdfFormOf,
  writeForm,
  type RdfForm,
} from '../../graph/syntax/forms.ts'
import { readNTriples } from '../../graph/syntax/n3.ts'
import type { Statement } from '../../graph/term.ts'
import { dcterms, ONTOLOGY_IRI } from '../../graph/vocabulary.ts'
import { acceptedMediaType, acceptedProfiles, matchesEtag } from '../../http/negotiation.ts'
import { readOnly } from '../../http/server/read-only.ts'
import { Refusal } from '../../platform/errors.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import { CURRENT, OPEN_TO_ALL } from '../response-headers.ts'
import type { OntologyService } from '../service.ts'
import { DATASET_PREFIXES, describeDatasets, type Datasets } from './description.ts'

export interface DatasetParts extends Pick<Datasets, 'baseUrl' | 'hasSparql'> {
  readonly folder: ReleaseFolder
  readonly service: Pick<OntologyService, 'current'>
}

/** What the ontology says of itself that its description repeats. */
const REPEATED: readonly string[] = [dcterms.title, dcterms.description, dcterms.license]

/** Turtle first. */
const TYPES = ['text/turtle', ...RDF_TYPES.filter((type) => type !== 'text/turtle')]

/** `/.well-known/void`: what data there is, where, and how much of it. */
export function datasetRoutes(parts: DatasetParts): Router {
  const router = Router({ caseSensitive: true, strict: true })
  readOnly(router, '/.well-known/void', async (request, response) => {
    const form = requireForm(request.get('Accept'))
    const statements = describeDatasets(await findDatasets(parts))
    const body = Array.from(writeForm(statements, form, DATASET_PREFIXES)).join('')
    const digest = createHash('sha256').update(body).digest('hex')
    const etag = `"${digest.slice(0, 32)}-${form}"`
    response.set(Object.fromEntries([...OPEN_TO_ALL, CURRENT]))
    response.set({ ETag: etag, Vary: 'Accept', Link: alternatesLink() })
    if (matchesEtag(request.get('If-None-Match'), etag)) response.status(304).end()
    else response.setHeader('Content-Type', contentTypeOf(form)).end(body)
  })
  return router
}

function requireForm(accept: string | undefined): RdfForm {
  const type = acceptedMediaType(accept, TYPES)
  const form = type === undefined ? null : rdfFormOf(type, acceptedProfiles(accept, type))
  if (form !== null) return form
  throw new Refusal('not_acceptable', `There is ${TYPES.join(', ')}; Accept takes none of them.`)
}

async function findDatasets({ folder, service, ...rest }: DatasetParts): Promise<Datasets> {
  const versions = [...(await folder.versions())].sort()
  // One that is damaged is left out; asking for it says why.
  const found = await Promise.all(versions.map((one) => folder.manifest(one).catch(() => null)))
  return {
    ...rest,
    releases: found.filter((manifest) => manifest !== null),
    active: service.current?.manifest.version ?? null,
    about: await findAbout(service),
  }
}

async function findAbout({ current }: DatasetParts['service']): Promise<readonly Statement[]> {
  const path = `/api/ontology/describe/${ONTOLOGY_IRI}.json`
  const answer = await current?.answer(path, 'gzip', 'nTriples').catch((error: unknown) => {
    // An ontology need not speak of itself.
    if (error instanceof Refusal) return null
    throw error
  })
  if (answer === undefined || answer === null) return []
  const nTriples = (await promisify(gunzip)(answer.body)).toString()
  return readNTriples(nTriples).filter(
    ({ subject, predicate }) =>
      subject.value === ONTOLOGY_IRI && REPEATED.includes(predicate.value),
  )
}
