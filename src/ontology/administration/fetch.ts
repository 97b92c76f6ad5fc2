import { createHash } from 'node:crypto'
import { z } from 'zod'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { isUrl, readDocument, type ReadLimits } from '../ingest/read.ts'
import { VERSION_FORM, type ReleaseFolder } from '../release/folder.ts'
import { manifestSchema, parseManifest, type Manifest } from '../release/manifest.ts'
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

const GRAPH_NAME = /\/[0-9a-f]{16}\.nq$/
const SHA256 = /^[0-9a-f]{64}$/

const publishedTree = z.object({
  version: z.string(),
  ontology_hash_sha256: z.string().regex(SHA256),
  files: z.record(z.string(), z.object({ file: z.string().optional(), sha256: z.string() })),
})
const releaseList = z.object({
  releases: z.array(z.object({ version: z.string(), sha256: z.string(), active: z.boolean() })),
})

/** The address of a release, and the digest that the publisher states. */
interface ReleaseLocation {
  readonly manifest: string
  /** Null: beside the manifest, which names it. */
  readonly graph: string | null
  readonly sha256: string | null
}

/**
 * Copies a release, without its sources, from another service or a published tree. Nothing is written before its digest
 * is right and it has been opened.
 */
export async function fetchRelease(
  folder: ReleaseFolder,
  options: FetchOptions,
  progress: { step(name: string): void; bytes(source: string, read: number, expected: number | undefined): void },
): Promise<StoreOutcome> {
  const read = async (address: string): Promise<Uint8Array> => {
    const document = await readDocument(address, options, (...bytes) => {
      progress.bytes(...bytes)
    })
    return document.content
  }
  const location = await findLocation(read, options)
  const { sha256 } = location
  const manifest = await readManifest(read, location.manifest)
  if (sha256 !== null && sha256 !== manifest.sha256)
    throw damagedRelease(
      location.manifest,
      `its manifest has the digest ${manifest.sha256}, but its list has ${sha256}`,
    )
  const home = location.graph ?? location.manifest.replace(/[^/]*$/, manifest.graphFile)
  const nquads = await read(home)
  progress.step('Checking')
  const text = await checkGraph(home, manifest, nquads)
  progress.step('Writing')
  return folder.exclusively(() => storeRelease(folder, manifest, { ...options, nquads: text }))
}

type ReadAddress = (address: string) => Promise<Uint8Array>

async function findLocation(
  read: ReadAddress,
  { source, version }: Pick<FetchOptions, 'source' | 'version'>,
): Promise<ReleaseLocation> {
  const base = source.replace(/\/manifest\.json$/, '').replace(/\/+$/, '')
  const manifest = await readJson(read, `${base}/manifest.json`)
  if (manifestSchema.safeParse(manifest).success) return locationBesideManifest(base, null)
  const tree = publishedTree.safeParse(manifest).data
  const isMeant = version === undefined || version === tree?.version
  if (tree !== undefined && isMeant) return currentLocationInTree(base, tree)
  const pinned = tree === undefined || version === undefined ? null : pinnedLocationInTree(base, tree, version)
  if (pinned !== null) return pinned
  const release = findInList(base, await readJson(read, `${base}/api/releases.json`), version)
  return locationBesideManifest(releaseHome(base, release.version), release.sha256)
}

function locationBesideManifest(home: string, sha256: string | null): ReleaseLocation {
  return { manifest: `${home}/manifest.json`, graph: null, sha256 }
}

/** In a published tree, the file with the digest of the release is its graph. */
function currentLocationInTree(
  base: string,
  { files, ontology_hash_sha256 }: z.output<typeof publishedTree>,
): ReleaseLocation {
  const graph = Object.entries(files).find(([, { sha256 }]) => sha256 === ontology_hash_sha256)
  if (graph === undefined) throw damagedRelease(base, 'this tree has no canonical N-Quads of its release')
  const home = addressOf(base, graph)
  return { manifest: `${base}/release.json`, graph: home, sha256: ontology_hash_sha256 }
}

/** Locates one release in a published tree of all releases; null if the tree does not have this version. */
function pinnedLocationInTree(
  base: string,
  { files }: z.output<typeof publishedTree>,
  version: string,
): ReleaseLocation | null {
  const home = `/releases/${encodeURIComponent(version)}/`
  const fileEntries = Object.entries(files)
  const manifest = fileEntries.find(([url]) => url === `${home}manifest.json`)
  const graph = fileEntries.find(([url]) => url.startsWith(home) && GRAPH_NAME.test(url))
  if (manifest === undefined || graph === undefined) return null
  const [, { sha256 }] = graph
  return { manifest: addressOf(base, manifest), graph: addressOf(base, graph), sha256 }
}

type TreeEntry = readonly [url: string, listed: { readonly file?: string | undefined }]

/** A server knows a file of a tree by its address, a folder by its path. */
function addressOf(base: string, [url, { file = decodeURIComponent(url).slice(1) }]: TreeEntry): string {
  return base + (isUrl(base) ? url : `/${file}`)
}

function findInList(
  base: string,
  list: unknown,
  version: string | undefined,
): { readonly version: string; readonly sha256: string } {
  const { data } = releaseList.safeParse(list)
  if (data === undefined) {
    const detail = `${base} is not a service, a published tree or a release.`
    throw new Refusal('source_not_found', detail)
  }
  const isMeant = (entry: (typeof data.releases)[number]): boolean =>
    version === undefined ? entry.active : entry.version === version
  const release = data.releases.find(isMeant)
  if (release !== undefined) return release
  const versions = data.releases.map((entry) => entry.version)
  if (version !== undefined) throw unknownAmong(versions, version)
  throw new Refusal('source_not_found', `${base} serves no release; it has: ${versions.join(', ')}.`)
}

function releaseHome(base: string, version: string): string {
  if (!VERSION_FORM.test(version)) throw damagedRelease(base, `"${version}" cannot be a version`)
  return `${base}/releases/${isUrl(base) ? encodeURIComponent(version) : version}`
}

/** Null if there is no document, or if it is not JSON. */
async function readJson(read: ReadAddress, address: string): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await read(address)))
  } catch (error) {
    const isAbsent = error instanceof Refusal && error.code === 'source_not_found'
    if (isAbsent || isClientError(error) || error instanceof SyntaxError) return null
    throw error
  }
}

/** Whether a server answered that it has no such file. */
function isClientError(error: unknown): boolean {
  return error instanceof Refusal && / the server answered 4\d\d\.$/.test(error.message)
}

async function readManifest(read: ReadAddress, address: string): Promise<Manifest> {
  const content = await read(address)
  try {
    const manifest = parseManifest(new TextDecoder().decode(content), address)
    if (!VERSION_FORM.test(manifest.version)) throw new Error(`version "${manifest.version}"`)
    if (!SHA256.test(manifest.sha256)) throw new Error(`sha256 "${manifest.sha256}"`)
    // File names on this machine never come from a remote document.
    const graphFile = `${manifest.sha256.slice(0, 16)}.nq`
    return { ...manifest, graphFile }
  } catch (error) {
    throw damagedRelease(address, `it is not a manifest of a release (${messageOf(error)})`)
  }
}

async function checkGraph(home: string, manifest: Manifest, nquads: Uint8Array): Promise<string> {
  const digest = createHash('sha256').update(nquads).digest('hex')
  if (digest !== manifest.sha256)
    throw damagedRelease(home, `its graph has the digest ${digest}, not ${manifest.sha256}`)
  const { EmbeddedGraph } = await import('../../graph/store.ts')
  const graph = new EmbeddedGraph()
  const text = new TextDecoder().decode(nquads)
  try {
    graph.loadCanonical(text)
    await readRelease(graph, manifest)
  } catch (error) {
    throw damagedRelease(home, `its graph cannot be opened (${messageOf(error)})`)
  }
  if (graph.size !== manifest.counts.statements)
    throw damagedRelease(home, `it has ${graph.size} statements, not ${manifest.counts.statements}`)
  return text
}

function damagedRelease(where: string, why: string): Refusal {
  return new Refusal('source_damaged', `${where}: ${why}. Nothing was written.`)
}
