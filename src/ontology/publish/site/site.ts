import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { instant } from '../../../graph/json-ld.ts'
import { ONTOLOGY_NAME } from '../../../graph/vocabulary.ts'
import { problemOf } from '../../../http/answer/problem.ts'
import { Refusal } from '../../../platform/errors.ts'
import { makeFolder } from '../../../platform/files/make-folder.ts'
import { removeEmptyFolders } from '../../../platform/files/relative-file.ts'
import { replaceFile } from '../../../platform/files/replace-file.ts'
import { formatPublicManifest } from '../../administration/public-manifest.ts'
import type { EarlierRun } from '../tree/manifest.ts'
import type { Site } from './content.ts'
import { headersFile } from './headers.ts'
import { indexJson, indexPage } from './index-page.ts'
import { nginxSettings } from './nginx.ts'
import type { Contents } from './pages.ts'
import { sitemapFiles, type Address } from './sitemap.ts'

/** Address prefix of a release, with its version. */
const PINNED_PATH = new RegExp(`^/(?:releases|ontologies/${ONTOLOGY_NAME})/([^/]+)/`)

interface SiteOutcome {
  readonly written: readonly string[]
  /** Files that were not written, because there are files of somebody else with their names. */
  readonly foreign: readonly string[]
}

/**
 * Writes the files beside the answers: an index, a sitemap, the answer for missing files, and settings for
 * servers. Files of somebody else with the same names stay.
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
    // With the canonical N-Quads, all that it takes to serve the release elsewhere.
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
