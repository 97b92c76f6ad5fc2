import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FillPages } from '../../../../contracts/pages.ts'
import { inPortions } from '../../../../platform/concurrency/turns.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { defaultNames, type NameForm } from '../../../../platform/files/file-names.ts'
import { makeFolder, makeOutputFolder } from '../../../../platform/files/make-folder.ts'
import type { ManifestFile } from '../../../../platform/files/manifest-files.ts'
import { replaceFile } from '../../../../platform/files/replace-file.ts'
import { nameTree } from '../../../../platform/files/tree-names.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { Parts } from '../../../parts/parts.ts'
import { listReleases } from '../../benchmarks/releases.ts'
import { OntologyLinks } from '../../linked-data/countermeasures/ontology-links.ts'
import { listSources } from '../../reference-data/reader.ts'
import { productsOf } from '../find.ts'
import { hashContent, hashDocument } from '../hashes/hashes.ts'
import type { Hash } from '../hashes/schemas.ts'
import { findCciList } from '../rule-ccis.ts'
import type { CatalogueDocument, HashOf } from './document.ts'
import { catalogueDocuments } from './documents.ts'
import { readEarlier, removeStale, writeJournal, writeManifest } from './manifest.ts'
import type { PageAt } from './pages.ts'
import type { DocumentSources, PublishedAttacks } from './sources.ts'

export interface CataloguePublishOptions {
  readonly out: string
  /** Default: names for every file system on Windows, readable ones elsewhere. */
  readonly names?: NameForm
  /** Base URL of the published tree, without a final slash: addresses of the feed begin with it. */
  readonly baseUrl: string
  /** The source of the links of rules; null for none. */
  readonly ontology: (PublishedAttacks & NonNullable<ConstructorParameters<typeof OntologyLinks>[0]['ontology']>) | null
  /** The release of the ontology; default: the active one. */
  readonly release?: string | undefined
  /** Makes the pages for browsers, which need the files of the application; by default there are no pages. */
  readonly pageAt?: PageAt | undefined
  /** Renders the content of the pages; by default they need scripts. */
  readonly fill?: FillPages
  readonly onProgress?: (done: number, total: number) => void
}

export interface CataloguePublishOutcome {
  readonly releases: number
  readonly written: number
  /** Number of existing files with the same content. */
  readonly kept: number
  /** Number of removed files of earlier runs. */
  readonly removed: number
  readonly bytes: number
}

/**
 * Writes the open catalogue as files, identical to the answers of the service, and a manifest with the digest of each.
 * Existing files with the same content are not written again.
 */
export async function publishCatalogue(
  parts: Pick<Parts, 'database' | 'settings' | 'log'>,
  options: CataloguePublishOptions,
): Promise<CataloguePublishOutcome> {
  if (!parts.settings.cataloguePublic)
    throw new Refusal('permission_denied', 'The catalogue is not public: SERVICE_CATALOGUE_PUBLIC is false.')
  const { read: reader } = parts.database
  const { baseUrl, pageAt } = options
  const links = await new OntologyLinks({ ...parts, ontology: options.ontology }).of(options.release ?? null)
  const before = await stateOf(reader)
  const releases = await listReleases(reader)
  const cciList = await findCciList(reader)
  // Attacks can be looked up only in the active release.
  const attacks = options.release === undefined ? options.ontology : null
  try {
    const outcome = await writeCatalogue({ reader, releases, links, attacks, cciList, baseUrl, pageAt }, options)
    await requireUnchanged(reader, before)
    await writeManifest(options.out, options.names ?? defaultNames(), outcome.files)
    return { ...outcome, releases: releases.length }
  } catch (error) {
    await requireUnchanged(reader, before)
    throw error
  }
}

/** Refuses if the catalogue was changed during the run: the files would be of two states. */
async function requireUnchanged(reader: Reader, before: string): Promise<void> {
  if ((await stateOf(reader)) === before) return
  throw new Refusal('usage', 'The catalogue has changed while it was published. Run the command again.')
}

/** Describes releases and reference data as one text, which differs after each change. */
async function stateOf(reader: Reader): Promise<string> {
  return JSON.stringify([await listReleases(reader), await listSources(reader)])
}

/** End of the address of a page's file. */
const PAGE = '/index.html'
/** Limit of pages in memory. */
const PAGES_AT_ONCE = 200

interface WrittenCatalogue extends Omit<CataloguePublishOutcome, 'releases'> {
  readonly files: readonly ManifestFile[]
}

async function writeCatalogue(sources: DocumentSources, options: CataloguePublishOptions): Promise<WrittenCatalogue> {
  const { out, names = defaultNames(), onProgress, fill } = options
  makeOutputFolder(out)
  const earlier = await readEarlier(out)
  const products = productsOf(sources.releases)
  const addresses: string[] = []
  for await (const { url } of catalogueDocuments(products, sources)) addresses.push(url)
  const fileNames = nameTree(addresses, names)
  const removed = await removeStale(out, earlier, new Set(fileNames.values()))
  await writeJournal(out, fileNames.values())
  const hashes = new Map<string, Hash>()
  const hashOf: HashOf = async (document) => hashes.get(document.url) ?? hashDocument(document)
  const files: ManifestFile[] = []
  let keptCount = 0
  const add = async (url: string, content: string | Uint8Array): Promise<void> => {
    const file = fileNames.get(url)
    if (file === undefined) throw new Error(`${url} was not planned`)
    const { isKept, ...written } = await writeDocument(out, { url, file, content: Buffer.from(content) })
    hashes.set(url, { bytes: written.bytes, sha256: written.sha256 })
    files.push(written)
    if (isKept) keptCount += 1
    onProgress?.(files.length, fileNames.size)
  }
  const pages: CatalogueDocument[] = []
  for await (const document of catalogueDocuments(products, sources)) {
    if (document.url.endsWith(PAGE)) pages.push(document)
    else await add(document.url, await document.write(hashOf))
  }
  // Pages come last, because they are rendered from the other files.
  for await (const portion of inPortions(pages, PAGES_AT_ONCE)) {
    const documents = await Promise.all(portion.map(({ write }) => write(hashOf)))
    const empty = portion.map(({ url }, index) => ({
      url: url.slice(0, -PAGE.length + 1),
      document: String(documents[index]),
    }))
    const filled = (await fill?.(empty, (url) => fileNames.get(url))) ?? documents
    for (const [index, { url }] of portion.entries()) await add(url, filled[index] ?? '')
  }
  return {
    files,
    written: files.length - keptCount,
    kept: keptCount,
    removed,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
  }
}

interface WrittenFile extends ManifestFile {
  readonly isKept: boolean
}

/** Writes a document, unless the file already has this content. */
async function writeDocument(
  out: string,
  { url, file, content }: { readonly url: string; readonly file: string; readonly content: Buffer },
): Promise<WrittenFile> {
  const path = join(out, file)
  const before = await readFile(path).catch(() => null)
  const isKept = before?.equals(content) === true
  if (!isKept) {
    makeFolder(dirname(path))
    await replaceFile(path, (draft) => writeFile(draft, content))
  }
  return { url, file, ...hashContent(content), isKept }
}
