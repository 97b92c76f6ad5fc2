import { createHash } from 'node:crypto'
import { z } from 'zod'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { readDocument, type ReadLimits } from '../ingest/read.ts'
import { VERSION_FORM, type ReleaseFolder } from '../release/folder.ts'
import { manifestSchema, type Manifest } from '../release/manifest.ts'
import { readRelease } from '../release/release.ts'
import { storeRelease, type StoreOutcome } from '../release/store.ts'
import { unknownAmong } from '../release/unknown.ts'

export interface FetchOptions extends ReadLimits {
  /** A service, a published tree or one release of either: an address, or a folder of this machine. */
  readonly source: string
  /** Default: the one that is active there. */
  readonly version?: string | undefined
  readonly replace: boolean
  readonly activate: boolean
}

interface FetchProgress {
  step(name: string): void
  bytes(source: string, read: number, expected: number | undefined): void
}

const GRAPH_NAME = /\/[0-9a-f]{16}\.nq$/
const SHA256 = /^[0-9a-f]{64}$/

const published = z.object({
  version: z.string(),
  ontology_hash_sha256: z.string().regex(SHA256),
  files: z.record(z.string(), z.object({ file: z.string().optional(), sha256: z.string() })),
})
const listed = z.object({
  releases: z.array(z.object({ version: z.string(), sha256: z.string(), active: z.boolean() })),
})

/** Where the release is, and the digest that the place says it has. */
interface Found {
  readonly manifest: string
  /** Null: beside the manifest, which names it. */
  readonly graph: string | null
  readonly sha256: string | null
}

/**
 * Takes over a release as another service or a published tree has it, without what it was made of. Nothing is
 * written before its digest is right and it has been opened.
 */
export async function fetchRelease(
  folder: ReleaseFolder,
  options: FetchOptions,
  progress: FetchProgress,
): Promise<StoreOutcome> {
  const read = async (address: string): Promise<Uint8Array> => {
    const document = await readDocument(address, options, (...bytes) => {
      progress.bytes(...bytes)
    })
    return document.content
  }
  const found = await findHome(read, options)
  const { sha256 } = found
  const manifest = await readManifest(read, found.manifest)
  if (sha256 !== null && sha256 !== manifest.sha256)
    throw damaged(
      found.manifest,
      `it states the digest ${manifest.sha256}, and its list has ${sha256}`,
    )
  const home = found.graph ?? found.manifest.replace(/[^/]*$/, manifest.graphFile)
  const nquads = await read(home)
  progress.step('Checking')
  const text = await checkGraph(home, manifest, nquads)
  progress.step('Writing')
  return folder.exclusively(() => storeRelease(folder, manifest, { ...options, nquads: text }))
}

type Read = (address: string) => Promise<Uint8Array>

async function findHome(
  read: Read,
  { source, version }: Pick<FetchOptions, 'source' | 'version'>,
): Promise<Found> {
  const base = source.replace(/\/manifest\.json$/, '').replace(/\/+$/, '')
  const found = await readJson(read, `${base}/manifest.json`)
  if (manifestSchema.safeParse(found).success) return beside(base, null)
  const tree = published.safeParse(found).data
  const isMeant = version === undefined || version === tree?.version
  if (tree !== undefined && isMeant) return inTree(base, tree)
  const pinned =
    tree === undefined || version === undefined ? null : underVersion(base, tree, version)
  if (pinned !== null) return pinned
  const release = findListed(base, await readJson(read, `${base}/api/releases.json`), version)
  return beside(homeIn(base, release.version), release.sha256)
}

function beside(home: string, sha256: string | null): Found {
  return { manifest: `${home}/manifest.json`, graph: null, sha256 }
}

/** Of a published tree, the file with the digest of the release is its graph. */
function inTree(base: string, { files, ontology_hash_sha256 }: z.output<typeof published>): Found {
  const graph = Object.entries(files).find(([, { sha256 }]) => sha256 === ontology_hash_sha256)
  if (graph === undefined) throw damaged(base, 'this tree has no canonical N-Quads of its release')
  const home = placeOf(base, graph)
  return { manifest: `${base}/release.json`, graph: home, sha256: ontology_hash_sha256 }
}

/** Of a published tree of all releases, one of them; null where there is none of this version. */
function underVersion(
  base: string,
  { files }: z.output<typeof published>,
  version: string,
): Found | null {
  const home = `/releases/${encodeURIComponent(version)}/`
  const listed = Object.entries(files)
  const manifest = listed.find(([url]) => url === `${home}manifest.json`)
  const graph = listed.find(([url]) => url.startsWith(home) && GRAPH_NAME.test(url))
  if (manifest === undefined || graph === undefined) return null
  const [, { sha256 }] = graph
  return { manifest: placeOf(base, manifest), graph: placeOf(base, graph), sha256 }
}

type Listed = readonly [url: string, listed: { readonly file?: string | undefined }]

/** Where a file of a tree is: behind a server, it goes by its address. */
function placeOf(base: string, [url, { file = decodeURIComponent(url).slice(1) }]: Listed): string {
  return base + (isAddress(base) ? url : `/${file}`)
}

function isAddress(base: string): boolean {
  return /^https?:\/\//i.test(base)
}

function findListed(
  base: string,
  list: unknown,
  asked: string | undefined,
): { readonly version: string; readonly sha256: string } {
  const { data } = listed.safeParse(list)
  if (data === undefined) {
    const detail = `${base} is neither a service, a published tree nor a release.`
    throw new Refusal('source_not_found', detail)
  }
  const isMeant = (one: (typeof data.releases)[number]): boolean =>
    asked === undefined ? one.active : one.version === asked
  const found = data.releases.find(isMeant)
  if (found !== undefined) return found
  const known = data.releases.map(({ version }) => version)
  if (asked !== undefined) throw unknownAmong(known, asked)
  throw new Refusal('source_not_found', `${base} serves no release; it has: ${known.join(', ')}.`)
}

function homeIn(base: string, version: string): string {
  if (!VERSION_FORM.test(version)) throw damaged(base, `"${version}" cannot be a version`)
  return `${base}/releases/${isAddress(base) ? encodeURIComponent(version) : version}`
}

/** Null where there is nothing that can be read as JSON. */
async function readJson(read: Read, address: string): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await read(address)))
  } catch (error) {
    const isAbsent = error instanceof Refusal && error.code === 'source_not_found'
    if (isAbsent || isAnswered(error) || error instanceof SyntaxError) return null
    throw error
  }
}

/** A server that is there, and has no such file. */
function isAnswered(error: unknown): boolean {
  return error instanceof Refusal && / the server answered 4\d\d\.$/.test(error.message)
}

async function readManifest(read: Read, address: string): Promise<Manifest> {
  const content = await read(address)
  try {
    const manifest = manifestSchema.parse(JSON.parse(new TextDecoder().decode(content)))
    if (!VERSION_FORM.test(manifest.version)) throw new Error(`version "${manifest.version}"`)
    if (!SHA256.test(manifest.sha256)) throw new Error(`sha256 "${manifest.sha256}"`)
    // What names a file here is never taken from elsewhere.
    const graphFile = `${manifest.sha256.slice(0, 16)}.nq`
    return { ...manifest, graphFile }
  } catch (error) {
    throw damaged(address, `it is no manifest of a release (${messageOf(error)})`)
  }
}

async function checkGraph(home: string, manifest: Manifest, nquads: Uint8Array): Promise<string> {
  const digest = createHash('sha256').update(nquads).digest('hex')
  if (digest !== manifest.sha256)
    throw damaged(home, `its graph has the digest ${digest}, not ${manifest.sha256}`)
  const { EmbeddedGraph } = await import('../../graph/store.ts')
  const graph = new EmbeddedGraph()
  const text = new TextDecoder().decode(nquads)
  try {
    graph.loadCanonical(text)
    await readRelease(graph, manifest)
  } catch (error) {
    throw damaged(home, `its graph cannot be opened (${messageOf(error)})`)
  }
  if (graph.size !== manifest.counts.statements)
    throw damaged(home, `it has ${graph.size} statements, not ${manifest.counts.statements}`)
  return text
}

function damaged(where: string, why: string): Refusal {
  return new Refusal('source_damaged', `${where}: ${why}. Nothing was written.`)
}
