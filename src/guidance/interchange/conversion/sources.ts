import { basename } from 'node:path'
import { sizeOf } from '../../../platform/files/file-kinds.ts'
import type { ReadOptions } from '../../catalogue/xccdf/benchmark.ts'
import type { ProjectGrant } from '../../parts/project-access.ts'
import { typeOf } from '../file-check/check-file.ts'
import type { SheetEncoding } from '../spreadsheets/reading/encoding.ts'
import { componentOfSheet, componentsOfArchive } from './components.ts'
import type { Workspace } from './workspace.ts'

/** The ids of imported documents in a workspace. */
export interface DocumentNumbers {
  readonly stig: readonly string[]
  readonly srg: readonly string[]
  readonly component: readonly number[]
}

interface ImportOptions extends ReadOptions {
  /** Ids of the SRGs in the workspace on which spreadsheets are based. */
  readonly srgIds: readonly number[]
  /** The encoding of CSV files that are not in UTF-8. */
  readonly encoding: SheetEncoding | null
  /** The project that receives the components. */
  readonly grant: ProjectGrant
}

/** Imports a file of any kind: benchmarks, a spreadsheet with its SRG, or an archive. */
export async function importDocuments(
  workspace: Workspace,
  file: string,
  { srgIds, grant, encoding, ...options }: ImportOptions,
): Promise<DocumentNumbers> {
  const bytes = await sizeOf(file)
  const type = await typeOf(file)
  if (type === 'xccdf') {
    const benchmarks = await workspace.importFile(file, options)
    const ids = (kind: 'stig' | 'srg') =>
      benchmarks.flatMap((benchmark) => (benchmark.kind === kind ? [String(benchmark.id)] : []))
    return { stig: ids('stig'), srg: ids('srg'), component: [] }
  }
  const before = await componentIds(workspace)
  const source = { path: file, bytes, stem: basename(file).replace(/\.\w+$/, '') }
  if (type === 'archive') await componentsOfArchive(workspace, grant, source)
  else await componentOfSheet(workspace, grant, { file: source, srgIds, encoding, prefix: undefined, name: undefined })
  const earlierIds = new Set(before)
  return { stig: [], srg: [], component: (await componentIds(workspace)).filter((id) => !earlierIds.has(id)) }
}

async function componentIds({ database }: Workspace): Promise<readonly number[]> {
  const rows = await database.read.selectFrom('components').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}
