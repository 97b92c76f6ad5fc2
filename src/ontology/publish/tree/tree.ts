import { encodePath, type ReleasePath } from '../../render/paths.ts'
import { nameFiles, type NameForm } from './file-names.ts'

/** A path of the release, and where it is in the tree. */
export interface TreeFile {
  readonly folder: string
  /** Decoded, as the release answers it. */
  readonly path: string
  /** Percent-encoded, as it is asked for. */
  readonly url: string
  /** Below the output folder. */
  readonly file: string
}

/** What is to be published, in the order of the paths. */
export function planTree(paths: readonly ReleasePath[], form: NameForm): readonly TreeFile[] {
  return [...nameFiles(paths, form)].map(([{ folder, name }, file]) => ({
    folder,
    path: folder + name,
    url: encodePath({ folder, name }),
    file,
  }))
}
