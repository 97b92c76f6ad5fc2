import type { Statement } from '../../graph/term.ts'
import { releaseFilePaths, formatPublicManifest } from '../administration/public-manifest.ts'
import { listReleases } from '../administration/releases.ts'
import type { Comparisons } from '../changes/comparisons.ts'
import { describeDatasets, writeDatasets } from '../datasets/description.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'
import { atomFeed } from '../reports/feed.ts'
import { hashesPieces } from '../reports/hashes.ts'
import { formatList } from '../reports/list.ts'
import type { AnswersByPath } from './answers.ts'
import type { AnswerFile, TreeFile } from './tree/tree.ts'

/** A release in the tree, with the name of its folders. */
export interface PublishedRelease {
  readonly manifest: Manifest
  readonly name: string
  /** Below its version. */
  readonly files: readonly AnswerFile[]
}

/** The inputs of reports, which are made once all answers are written. */
export interface ReportSources {
  readonly folder: ReleaseFolder
  /** The version at `/api/`. */
  readonly active: string
  readonly baseUrl: string
  readonly describe: boolean
  /** Statements of the release at `/api/` about itself. */
  readonly about: readonly Statement[]
  readonly answers: AnswersByPath
  readonly comparisons: Comparisons
}

/** A report on releases as a file; `make` gives its text. */
export interface ReportFile extends TreeFile {
  readonly make: (sources: ReportSources) => Iterable<string> | Promise<Iterable<string>>
}

/** Plans the reports on releases, the newest first, at the paths of the service. */
export function planReports(releases: readonly PublishedRelease[]): readonly ReportFile[] {
  return [
    report('/api/releases.json', (sources) => listTree(releases, sources)),
    report('/api/releases.atom', ({ baseUrl }) => [atomFeed(manifestsOf(releases), baseUrl)]),
    report('/.well-known/void', (sources) => describeTree(releases, sources)),
    ...releases.flatMap(ofRelease),
    ...releases.flatMap((release, index) =>
      // Both directions follow each other, because they read the same two releases.
      releases.slice(index + 1).flatMap((other) => [...changes(release, other), ...changes(other, release)]),
    ),
  ]
}

/** Lists the releases as the service does. If another release than the active one is at `/api/`, none is previous. */
async function listTree(
  releases: readonly PublishedRelease[],
  { folder, active }: Pick<ReportSources, 'folder' | 'active'>,
): Promise<readonly string[]> {
  const list = await listReleases(folder)
  const previous = active === list.active ? list.previous : null
  return [formatList({ ...list, releases: manifestsOf(releases), active, previous })]
}

function report(path: string, make: ReportFile['make']): ReportFile {
  return { path, url: path, file: path.slice(1), make }
}

function ofRelease(release: PublishedRelease): readonly ReportFile[] {
  const { manifest, name } = release
  const { version, graphFile } = manifest
  const urls = releaseFilePaths(manifest)
  const hashes = (home: string): string => `api/releases/${home}/hashes.json`
  return [
    {
      path: `/${hashes(version)}`,
      url: `/${hashes(encodeURIComponent(version))}`,
      file: hashes(name),
      make: ({ answers }) => hashesPieces(manifest, hashedPaths(release, answers)),
    },
    {
      path: `/releases/${version}/manifest.json`,
      url: urls.manifest,
      file: `releases/${name}/manifest.json`,
      make: () => [formatPublicManifest(manifest)],
    },
    {
      path: `/releases/${version}/${graphFile}`,
      url: urls.graph,
      file: `releases/${name}/${graphFile}`,
      make: ({ folder }) => folder.graphPieces(manifest),
    },
  ]
}

function changes(from: PublishedRelease, to: PublishedRelease): readonly ReportFile[] {
  const [a, b] = [from.manifest.version, to.manifest.version]
  return (['json', 'csv'] as const).map((form) => ({
    path: `/api/releases/${a}/changes/${b}.${form}`,
    url: `/api/releases/${encodeURIComponent(a)}/changes/${encodeURIComponent(b)}.${form}`,
    file: `api/releases/${from.name}/changes/${to.name}.${form}`,
    make: async ({ comparisons }) => {
      const { body } = await comparisons.compare({ from: from.manifest, to: to.manifest, form, coding: 'identity' })
      return [Buffer.from(body).toString()]
    },
  }))
}

/** Lists the answers in the tree below `/api/`, with their hashes. */
function hashedPaths({ manifest, files }: PublishedRelease, answers: AnswersByPath) {
  const home = `/releases/${encodeURIComponent(manifest.version)}`
  return files.flatMap(({ path, url }) => {
    const answer = answers.get(path)
    if (answer === undefined || !url.startsWith(`${home}/api/`)) return []
    return [{ path: url.slice(home.length), bytes: answer.bytes, sha256: answer.sha256 }]
  })
}

/** Describes the data of the tree, which contains no guidance and answers no queries. */
function describeTree(
  releases: readonly PublishedRelease[],
  { answers, ...sources }: ReportSources,
): readonly string[] {
  const statements = describeDatasets({
    ...sources,
    releases: sortManifests(manifestsOf(releases)),
    hasSparql: false,
    hasGuidance: false,
    hasDescriptions: sources.describe,
    isThere: (path) => answers.has(decodeURIComponent(path)),
  })
  return [writeDatasets(statements, 'turtle')]
}

function sortManifests(manifests: readonly Manifest[]): readonly Manifest[] {
  return [...manifests].sort((a, b) => (a.version < b.version ? -1 : 1))
}

function manifestsOf(releases: readonly PublishedRelease[]): readonly Manifest[] {
  return releases.map(({ manifest }) => manifest)
}
