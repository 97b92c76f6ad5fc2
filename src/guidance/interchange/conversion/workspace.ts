import { OPERATOR, type Caller } from '../../../http/caller.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { insertProject } from '../../authoring/projects/writer.ts'
import { importFile } from '../../catalogue/imports/import-file.ts'
import { ReferenceReader } from '../../catalogue/reference-data/importing/reference-thread.ts'
import { UploadReader } from '../../catalogue/uploads/upload-thread.ts'
import type { ReadOptions } from '../../catalogue/xccdf/benchmark.ts'
import { openDatabase, type Database } from '../../database/database.ts'
import { insertUser } from '../../identity/users/writer.ts'
import type { ProjectGrant } from '../../parts/project-access.ts'

/** A benchmark that was imported into a workspace. */
export interface ImportedBenchmark {
  readonly id: number
  readonly kind: 'srg' | 'stig'
  readonly benchmarkId: string
  readonly version: string
}

/** A temporary database in which files are read like in the service. */
export interface Workspace {
  readonly database: Database
  /** Imports the benchmarks of a file, or reference data. Refuses the file if a member of a zip is refused. */
  importFile(file: string, options: ReadOptions): Promise<readonly ImportedBenchmark[]>
}

/** Runs a function with a new database in a folder, and closes the database. */
export async function withWorkspace<T>(
  { folder, log }: { readonly folder: string; readonly log: Log },
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ url: null, dataDir: folder, log, isNew: true })
  const reader = new UploadReader()
  const references = new ReferenceReader()
  const parts = { database, reader, references }
  try {
    return await work({ database, importFile: (file, options) => importBenchmarks(parts, file, options) })
  } finally {
    await reader.close()
    await references.close()
    await database.close()
  }
}

async function importBenchmarks(
  parts: Parameters<typeof importFile>[0],
  file: string,
  options: ReadOptions,
): Promise<readonly ImportedBenchmark[]> {
  const benchmarks: ImportedBenchmark[] = []
  const run = { options: { ...options, replace: false }, actor: OPERATOR }
  for await (const { result } of importFile(parts, file, run)) {
    if (result.kind === 'refused') {
      const { member, detail } = result.member
      throw new Refusal('nothing_imported', member === null ? detail : `${member}: ${detail}`)
    }
    if (result.kind !== 'imported' && result.kind !== 'already_imported') continue
    const { id, kind, benchmark_id, version } = result.member
    benchmarks.push({ id, kind, version, benchmarkId: benchmark_id })
  }
  return benchmarks
}

/** The owner of the project with the components of a workspace. */
const OWNER = { name: 'The Authors', email: 'authors@localhost' }

/** Makes a project in a workspace, and a caller who may do everything in it. */
export async function openProject(database: Database): Promise<ProjectGrant> {
  return database.transact(async (writer) => {
    const account = { ...OWNER, admin: true, confirmed: true, passwordHash: null }
    const { id } = await insertUser(writer, account, { actor: OPERATOR, title: 'The project cannot be made.' })
    const caller: Caller = { ...OWNER, id, admin: true, provider: null, via: { kind: 'token', id: 0 } }
    const projectId = await insertProject(writer, { name: 'Files' }, caller)
    return { caller, projectId, role: 'admin' }
  })
}
