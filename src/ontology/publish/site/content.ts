import type { Manifest } from '../../release/manifest.ts'
import type { NameForm } from '../tree/file-names.ts'
import type { TreeFile } from '../tree/tree.ts'

/** What the files beside the answers are made of. */
export interface Site {
  readonly release: Manifest
  readonly tree: readonly TreeFile[]
  readonly names: NameForm
  readonly compress: boolean
  /** Without a final slash. */
  readonly baseUrl: string
}
