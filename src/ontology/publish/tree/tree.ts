import { ONTOLOGY_NAME } from '../../../graph/vocabulary.ts'
import type { NameForm } from '../../../platform/files/file-names.ts'
import { encodePath, type ReleasePath } from '../../render/paths.ts'
import { CURRENT_FILES } from '../../views/whole/whole.ts'
import { nameFiles } from './file-names.ts'

export interface TreeFile {
  /** The requested path, decoded. */
  readonly path: string
  /** The requested path, percent-encoded. */
  readonly url: string
  /** Below the output folder. */
  readonly file: string
}

/** A file with an answer of a release. */
export interface AnswerFile extends TreeFile {
  /** The request to the release: its decoded path there, and the folder of that path. */
  readonly releasePath: string
  readonly folder: string
}

/** The folder of a release that is not the one at `/api/`. */
export interface PinnedFolder {
  readonly version: string
  /** Name of its folders. */
  readonly name: string
}

/** Plans the files of the release at `/api/`, in the order of the paths. */
export function planTree(paths: readonly ReleasePath[], form: NameForm): readonly AnswerFile[] {
  return [...nameFiles(paths, form)].map(([{ folder, name }, file]) => {
    const path = folder + name
    return { path, url: encodePath({ folder, name }), file, releasePath: path, folder }
  })
}

/** Plans the files of a release under its version, at the paths that the service has. */
export function planPinned({ version, name }: PinnedFolder, answers: readonly AnswerFile[]): readonly AnswerFile[] {
  return answers.flatMap((answer) => {
    const positions = versionedFolderOf(answer)
    // The path `/ontologies/…/current` is that of the active release.
    if (positions === null || (version === 'current' && positions[0] !== 'releases')) return []
    const [before, below] = positions
    return [
      {
        ...answer,
        path: `/${before}/${version}/${answer.path.slice(below)}`,
        url: `/${before}/${encodeURIComponent(version)}/${answer.url.slice(below)}`,
        file: `${before}/${name}/${answer.file.slice(below - 1)}`,
      },
    ]
  })
}

/** The folder of versions that an answer belongs to, and the index in its path at which the rest begins. */
function versionedFolderOf({ path }: AnswerFile): readonly [before: string, below: number] | null {
  if (path.startsWith('/api/')) return ['releases', 1]
  if (path.startsWith(CURRENT_FILES)) return [`ontologies/${ONTOLOGY_NAME}`, CURRENT_FILES.length]
  return null
}

/** Names of the folders of releases, by version: versions may differ by letter case alone. */
export function nameVersions(versions: readonly string[], form: NameForm): ReadonlyMap<string, string> {
  const folder = '/releases/'
  const files = nameFiles(
    versions.map((name) => ({ folder, name })),
    form,
  )
  return new Map(Array.from(files, ([{ name }, file]) => [name, file.slice(folder.length - 1)]))
}
