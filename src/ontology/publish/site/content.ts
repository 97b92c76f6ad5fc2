import type { NameForm } from '../../../platform/files/file-names.ts'
import type { Manifest } from '../../release/manifest.ts'
import type { AnswerFile, TreeFile } from '../tree/tree.ts'
import type { PlannedPages } from './pages.ts'

/** The inputs of the files besides the answers. */
export interface Site {
  /** The release at `/api/`. */
  readonly release: Manifest
  readonly own: readonly AnswerFile[]
  /** Releases under their versions, the newest first; empty for a tree of one release. */
  readonly releases: readonly Manifest[]
  /** All files, of that release and of others. */
  readonly tree: readonly TreeFile[]
  readonly names: NameForm
  readonly compress: boolean
  /** Without a final slash. */
  readonly baseUrl: string
  /** The application for browsers; null if only data is published. */
  readonly pages: PlannedPages | null
}
