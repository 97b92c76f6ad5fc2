import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { instant } from '../../../graph/json-ld.ts'
import { SYNTAXES } from '../../../graph/syntax/syntaxes.ts'
import { ONTOLOGY_NAME } from '../../../graph/vocabulary.ts'
import { problemOf } from '../../../http/answer/problem.ts'
import { OPEN_TO_ALL } from '../../../http/published-routes.ts'
import { Refusal } from '../../../platform/errors.ts'
import { makeFolder } from '../../../platform/files/make-folder.ts'
import { removeEmptyFolders } from '../../../platform/files/relative-file.ts'
import { replaceFile } from '../../../platform/files/replace-file.ts'
import { formatPublicManifest } from '../../administration/public-manifest.ts'
import { ALL_VIEWS, folderOf } from '../../endpoints/list.ts'
import { FEED_TYPE } from '../../reports/feed.ts'
import { CURRENT } from '../../response-headers.ts'
import type { View } from '../../views/view.ts'
import { CURRENT_FILES } from '../../views/whole/whole.ts'
import type { EarlierRun } from '../tree/manifest.ts'
import type { Site } from './content.ts'
import { indexJson, indexPage } from './index-page.ts'
import { nginxSettings } from './nginx.ts'
import type { Contents } from './pages.ts'
import { type Address, sitemapFiles } from './sitemap.ts'

type TypeOfPath = readonly [pattern: string, type: string]

/** Media types of reports on releases; other types follow from their extensions. */
const REPORTS: readonly TypeOfPath[] = [
  ['/api/releases.atom', FEED_TYPE],
  ['/.well-known/void', SYNTAXES.turtle.contentType],
]

/** Address prefix of a release, with its version. */
const PINNED_PATH = new RegExp(`^/(?:releases|ontologies/${ONTOLOGY_NAME})/([^/]+)/`)

interface SiteOutcome {
  readonly written: readonly string[]
  /** Files that were not written, because foreign files have their names. */
  readonly foreign: readonly string[]
}

/**
 * Writes the files beside the answers: an index, a sitemap, the answer for missing files, and settings for servers.
 * Foreign files with the same names stay.
 */
export async function writeSite(out: string, site: Site, earlier: EarlierRun): Promise<SiteOutcome> {
  const files = siteFiles(site)
  const written: string[] = []
  const foreign: string[] = []
  for (const [name, content] of files) {
    const isOurs = earlier.site.includes(name) || (await isFree(join(out, name), content))
    if (isOurs) {
      makeFolder(dirname(join(out, name)))
      await replaceFile(join(out, name), (draft) => writeFile(draft, content))
    }
    ;(isOurs ? written : foreign).push(name)
  }
  const stale = earlier.site.filter((name) => !files.has(name))
  for (const name of stale) {
    await rm(join(out, name), { force: true })
    await removeEmptyFolders(out, dirname(name))
  }
  return { written, foreign }
}

function siteFiles(site: Site): Contents {
  const { release, baseUrl, pages } = site
  const missing = `${JSON.stringify(missingProblem(release.version))}\n`
  return new Map<string, string | Buffer>([
    [pages === null ? 'index.html' : 'data.html', indexPage(site)],
    ['index.json', indexJson(site)],
    // With the canonical N-Quads, enough to serve the release elsewhere.
    ['release.json', formatPublicManifest(release)],
    ...sitemapFiles({ baseUrl, addresses: addressesOf(site) }),
    ['404.json', missing],
    // The name by which static hosts find it.
    ['404.html', missing],
    ['nginx.conf', nginxSettings(site)],
    ['_headers', headersFile(site)],
    // Without this, GitHub Pages leaves out names that begin with an underscore, and reads every file.
    ['.nojekyll', ''],
    ...(pages?.files ?? []),
  ])
}

/** A file of a release has its date; every other file has that of the newest release. */
function addressesOf({ release, releases, tree, pages }: Site): readonly Address[] {
  const dates = new Map(releases.map(({ version, releaseDate }) => [encodeURIComponent(version), instant(releaseDate)]))
  const newest = instant(release.releaseDate)
  const answers = [...tree, ...(pages?.tree ?? [])].map(({ url }) => {
    const [, version = ''] = PINNED_PATH.exec(url) ?? []
    return { url, changed: dates.get(version) ?? newest }
  })
  return [{ url: '/', changed: newest }, ...answers]
}

function missingProblem(version: string): unknown {
  const detail = `This copy of release ${version} has no such file. /index.json lists all files.`
  return problemOf(new Refusal('route_not_found', detail))
}

async function isFree(file: string, content: string | Buffer): Promise<boolean> {
  const present = await readFile(file).catch(() => null)
  return present === null || present.equals(Buffer.from(content))
}

/**
 * The `_headers` file of Netlify and Cloudflare Pages. Both join the values of all rules that match,
 * so no two rules set the same header for the same path. Cloudflare takes 100 rules.
 */
function headersFile({ releases }: Pick<Site, 'releases'>): string {
  const currentTypes = [...mediaTypes()]
  const types = releases.length === 0 ? currentTypes : [...currentTypes, ...currentTypes.flatMap(pinTypes), ...REPORTS]
  const rules = types.map(([path, type]) => rule(path, [['Content-Type', type]]))
  return [rule('/*', [...OPEN_TO_ALL, CURRENT]), ...rules].join('\n')
}

/** Headers under a version; both hosts accept any name for `:version`. */
function pinTypes([path, type]: TypeOfPath): readonly TypeOfPath[] {
  if (path.startsWith('/api/')) return [[`/releases/:version${path}`, type]]
  if (!path.startsWith(CURRENT_FILES)) return []
  return [[path.replace(CURRENT_FILES, `/ontologies/${ONTOLOGY_NAME}/:version/`), type]]
}

/** Whether all records of a view's folder have one type. Otherwise hosts derive the types from the extensions. */
function hasFolderOfOneType(view: View): boolean {
  const isBeside = (other: View): boolean => other.kind === 'record' && folderOf(other) === folderOf(view)
  return view.kind === 'record' && ALL_VIEWS.every((other) => !isBeside(other) || other.format === view.format)
}

function rule(path: string, headers: readonly (readonly [name: string, value: string])[]): string {
  return `${path}\n${headers.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`
}

/** Media types by path: a pattern for each folder of records, and the documents elsewhere. */
function mediaTypes(): ReadonlyMap<string, string> {
  const types = new Map<string, string>()
  const isCovered = (path: string): boolean =>
    [...types.keys()].some((pattern) => pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)))
  const folders = ALL_VIEWS.filter(hasFolderOfOneType).map((view) => [`${folderOf(view)}*`, view] as const)
  const documents = ALL_VIEWS.filter(({ kind }) => kind === 'document').map((view) => [view.path, view] as const)
  // Shorter patterns first, so that a folder covers those below it.
  folders.sort(([a], [b]) => a.length - b.length)
  for (const [pattern, { format }] of [...folders, ...documents]) {
    if (!isCovered(pattern)) types.set(pattern, format.mediaType)
  }
  return types
}
