import type { Statement } from '../../graph/term.ts'
import { Refusal } from '../../platform/errors.ts'
import type { NameForm } from '../../platform/files/file-names.ts'
import { findManifests } from '../administration/releases.ts'
import { ABOUT_PATH, readAbout } from '../datasets/about.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import { isSame, type Manifest } from '../release/manifest.ts'
import { planReports, type PublishedRelease, type ReportFile } from './reports.ts'
import { nameVersions, planPinned, planTree, type AnswerFile, type TreeFile } from './tree/tree.ts'
import { WriterThreads } from './writer-threads.ts'

/** The complete content of a published tree. */
export interface Plan {
  /** The release at `/api/`. */
  readonly release: Manifest
  readonly own: readonly AnswerFile[]
  /** All releases under their versions, newest first; empty for a tree of one release. */
  readonly pinned: readonly PublishedRelease[]
  /** Files of each release, beginning with the one at `/api/`. */
  readonly parts: readonly { readonly manifest: Manifest; readonly files: readonly AnswerFile[] }[]
  readonly reports: readonly ReportFile[]
  /** Statements of the release at `/api/` about itself, if it makes any. */
  readonly about: readonly Statement[]
  readonly tree: readonly TreeFile[]
}

export interface PlanOptions {
  readonly dataDir: string
  readonly names: NameForm
  readonly describe?: boolean
  readonly onlyJson?: boolean
  readonly allReleases?: boolean
}

/** Opens each release that is to be published, and lists its paths. Nothing is written. */
export async function planSite(
  writers: WriterThreads,
  { folder, release }: { readonly folder: ReleaseFolder; readonly release: Manifest },
  options: PlanOptions,
): Promise<Plan> {
  const { names, describe = true, onlyJson = false, allReleases = false } = options
  const ownFiles = planTree(await writers.paths({ describe, onlyJson }), names)
  if (!allReleases) {
    return {
      release,
      own: ownFiles,
      pinned: [],
      parts: [{ manifest: release, files: ownFiles }],
      reports: [],
      about: [],
      tree: ownFiles,
    }
  }
  const pinned: PublishedRelease[] = []
  // The service refuses damaged releases too.
  const manifests = await findManifests(folder)
  const homes = nameVersions(
    manifests.map(({ version }) => version),
    names,
  )
  for (const manifest of manifests) {
    const { version } = manifest
    const name = homes.get(version) ?? version
    const isOwn = isSame(manifest, release)
    const answers = isOwn ? ownFiles : await planOther(folder, manifest, options)
    pinned.push({ manifest, name, files: planPinned({ version, name }, answers) })
  }
  return planAll({ release, own: ownFiles, pinned, about: await findAbout(writers) })
}

function planAll(sources: Pick<Plan, 'release' | 'own' | 'pinned' | 'about'>): Plan {
  const { release, own, pinned } = sources
  const otherReleases = pinned.filter(({ manifest }) => !isSame(manifest, release))
  const same = pinned.flatMap(({ manifest, files }) => (isSame(manifest, release) ? files : []))
  const parts = [{ manifest: release, files: [...own, ...same] }, ...otherReleases]
  const reports = planReports(pinned)
  return { ...sources, parts, reports, tree: [...parts.flatMap(({ files }) => files), ...reports] }
}

async function planOther(
  folder: ReleaseFolder,
  manifest: Manifest,
  { dataDir, names, describe = true, onlyJson = false }: PlanOptions,
): Promise<readonly AnswerFile[]> {
  const writers = await WriterThreads.open(folder, manifest, { dataDir, threads: 1 })
  try {
    return planTree(await writers.paths({ describe, onlyJson }), names)
  } finally {
    await writers.close()
  }
}

async function findAbout(writers: WriterThreads): Promise<readonly Statement[]> {
  const question = { path: ABOUT_PATH, coding: 'identity', form: 'nTriples' } as const
  try {
    const { body } = await writers.first.ask('render', question)
    return readAbout(Buffer.from(body).toString())
  } catch (error) {
    // An ontology may lack statements about itself.
    if (error instanceof Refusal && error.code === 'subject_not_found') return []
    throw error
  }
}
