import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Document } from '../../../http/answer/answers.ts'
import { Refusal } from '../../../platform/errors.ts'
import { sizeOf } from '../../../platform/files/file-kinds.ts'
import type { ExportType } from '../../../tables/export-formats.ts'
import { findBenchmark, findFile } from '../../catalogue/benchmarks/reader.ts'
import { readWhole } from '../../catalogue/open/documents.ts'
import { fileNameOf } from '../../catalogue/open/files/file-endpoints.ts'
import { FILE_FORMS } from '../../catalogue/open/files/release-files.ts'
import { findRelease } from '../../catalogue/open/find.ts'
import type { ReadOptions } from '../../catalogue/xccdf/benchmark.ts'
import type { ProjectGrant } from '../../parts/project-access.ts'
import { findHeads } from '../exports/files/heads.ts'
import { FORMATS } from '../exports/formats.ts'
import { requireSupported } from '../exports/request.ts'
import { typeOf } from '../file-check/check-file.ts'
import type { SheetEncoding } from '../spreadsheets/reading/encoding.ts'
import { componentOfSheet, componentOfStig, componentsOfArchive, type ComponentChoice } from './components.ts'
import { openProject, type ImportedBenchmark, type Workspace } from './workspace.ts'

/** The formats to which files are converted, with the exports of components that write them. */
export const TARGETS = {
  xccdf: 'xccdf',
  ckl: 'ckl',
  cklb: 'cklb',
  inspec: 'inspec',
  oscal: 'oscal',
  xlsx: 'excel',
  csv: 'csv',
  json: null,
} as const satisfies Readonly<Record<string, ExportType | null>>

export type Target = keyof typeof TARGETS

/** Formats in which only components can be written. */
const COMPONENT_TARGETS = ['inspec', 'oscal', 'xlsx'] as const satisfies readonly Target[]

type ComponentTarget = (typeof COMPONENT_TARGETS)[number]

function isComponentTarget(to: Target): to is ComponentTarget {
  return COMPONENT_TARGETS.some((target) => target === to)
}

export interface Conversion extends Omit<ComponentChoice, 'srgIds'>, ReadOptions {
  readonly file: string
  readonly to: Target
  /** Files of the SRGs on which the file is based. */
  readonly srgs: readonly string[]
  /** The encoding of a CSV file that is not in UTF-8. */
  readonly encoding: SheetEncoding | null
  /** A folder for temporary files. */
  readonly folder: string
  /** The version of this program. Some formats contain it. */
  readonly program: string
}

/**
 * Converts a file as the service does after an import. A benchmark is written like in the open catalogue, a spreadsheet
 * or an archive like the exports of its components. For formats that only components have, a STIG first becomes a
 * component.
 */
export async function convertFile(workspace: Workspace, conversion: Conversion): Promise<Document> {
  const { file, to, srgs } = conversion
  const bytes = await sizeOf(file)
  const srgIds: number[] = []
  for (const srg of srgs) srgIds.push(...(await importOf(workspace, srg, 'srg')).map(({ id }) => id))
  const type = await typeOf(file)
  if (type === 'xccdf') return convertBenchmark(workspace, { ...conversion, srgIds })
  const grant = await openProject(workspace.database)
  const source = { path: file, bytes, stem: basename(file).replace(/\.\w+$/, '') }
  if (type === 'archive') await componentsOfArchive(workspace, grant, source)
  else await componentOfSheet(workspace, grant, { ...conversion, srgIds, file: source })
  const exported = TARGETS[to]
  return exported === null
    ? convertComponents(workspace, grant, conversion)
    : exportComponents(workspace, grant, { ...conversion, type: exported })
}

async function importOf(workspace: Workspace, file: string, kind: 'srg'): Promise<readonly ImportedBenchmark[]> {
  const benchmarks = await workspace.importFile(file, { documentType: kind, version: undefined })
  const other = benchmarks.find((benchmark) => benchmark.kind !== kind)
  if (other !== undefined) throw new Refusal('usage', `--srg ${file}: ${other.benchmarkId} is not an SRG.`)
  return benchmarks
}

type BenchmarkConversion = Conversion & { readonly srgIds: readonly number[] }

async function convertBenchmark(workspace: Workspace, conversion: BenchmarkConversion): Promise<Document> {
  const { file, to, documentType, version } = conversion
  const [benchmark, ...otherBenchmarks] = await workspace.importFile(file, { documentType, version })
  if (benchmark === undefined) throw new Refusal('no_benchmark_in_zip', 'The file holds no benchmark.')
  if (otherBenchmarks.length > 0) throw new Refusal('usage', 'The file holds several benchmarks. Name a file with one.')
  if (!isComponentTarget(to)) return writeRelease(workspace, benchmark, to)
  if (benchmark.kind === 'srg')
    throw new Refusal('usage', `--to ${to}: an SRG has requirements, and only a STIG has rules.`)
  const grant = await openProject(workspace.database)
  await componentOfStig(workspace, grant, { ...conversion, stigId: benchmark.id })
  return exportComponents(workspace, grant, { ...conversion, type: TARGETS[to] })
}

/** Writes a release like the open catalogue. */
async function writeRelease(
  { database: { read } }: Workspace,
  { id, benchmarkId, version }: ImportedBenchmark,
  to: Exclude<Target, ComponentTarget>,
): Promise<Document> {
  const release = await findRelease(read, benchmarkId, version)
  if (to === 'json') {
    const body = JSON.stringify(await readWhole(read, release))
    return { mediaType: 'application/json', fileName: fileNameOf(release.release, 'json'), body }
  }
  if (to === 'xccdf') {
    return {
      mediaType: 'application/xml',
      fileName: fileNameOf(release.release, 'xml'),
      body: await findFile(read, id),
    }
  }
  const { mediaType, write } = FILE_FORMS[to]
  return { mediaType, fileName: fileNameOf(release.release, to), body: write(await findBenchmark(read, id)) }
}

/** Writes the components of the project like the exports of the service. */
async function exportComponents(
  { database: { read } }: Workspace,
  { projectId }: ProjectGrant,
  { type, program }: Pick<Conversion, 'program'> & { readonly type: ExportType },
): Promise<Document> {
  const format = FORMATS.get(type)
  if (format === undefined) throw new Error(`There is no format ${type}`)
  const heads = await findHeads(read, (is) => is('project_id', '=', projectId))
  const components = requireSupported(format, heads)
  const [mode] = format.modes
  if (mode === undefined) throw new Error(`${type} has no mode`)
  return format.write({
    reader: read,
    components,
    groupName: components.length > 1 ? 'components' : null,
    mode,
    program,
    now: new Date(),
    excludeSatisfied: false,
    comments: [],
    withEmail: false,
    includeSrg: false,
    includeMemberships: false,
  })
}

/**
 * Writes JSON for components. They have none for readers, so each is published as XCCDF first, and that is converted.
 */
async function convertComponents(
  workspace: Workspace,
  grant: ProjectGrant,
  { folder, program }: Conversion,
): Promise<Document> {
  const heads = await findHeads(workspace.database.read, (is) => is('project_id', '=', grant.projectId))
  if (heads.length > 1) throw new Refusal('usage', `The file holds ${heads.length} components. Name a file with one.`)
  const published = await exportComponents(workspace, grant, { program, type: 'xccdf' })
  const file = join(folder, 'published', 'component-xccdf.xml')
  await mkdir(join(folder, 'published'))
  await writeFile(file, published.body)
  const [benchmark] = await workspace.importFile(file, { documentType: heads[0]?.document_type, version: undefined })
  if (benchmark === undefined) throw new Error('A component is one benchmark')
  return writeRelease(workspace, benchmark, 'json')
}
