import { z } from 'zod'
import { Refusal } from '../../../platform/errors.ts'
import { requireSources } from '../../authoring/component-creation/from-srg.ts'
import { insertPublished } from '../../authoring/component-creation/published-stig/begin.ts'
import type { NewRecord } from '../../authoring/components/record.ts'
import { findBenchmark, type StoredBenchmark } from '../../catalogue/benchmarks/reader.ts'
import { numbersOf } from '../../catalogue/benchmarks/releases.ts'
import type { Rule } from '../../catalogue/xccdf/benchmark.ts'
import type { ProjectGrant } from '../../parts/project-access.ts'
import { readArchive } from '../archives/format/read-in-thread.ts'
import { importArchive, prepareImport } from '../archives/importing/import.ts'
import { createFromSpreadsheet } from '../spreadsheets/creating/create.ts'
import { SHEET_ENCODINGS, type SheetEncoding } from '../spreadsheets/reading/encoding.ts'
import type { Workspace } from './workspace.ts'

export interface ComponentChoice {
  /** Ids of the SRGs in the workspace, the primary one first. */
  readonly srgIds: readonly number[]
  /** `AAAA-00`. By default taken from the ids of the rules. */
  readonly prefix: string | undefined
  /** By default the id of the STIG or the name of the file. */
  readonly name: string | undefined
}

interface SourceFile {
  readonly path: string
  readonly bytes: number
  /** The name without folders and extension. */
  readonly stem: string
}

/** Makes a component from a published STIG. Without an SRG, its rules are linked to no requirement. */
export async function componentOfStig(
  { database }: Workspace,
  grant: ProjectGrant,
  { stigId, srgIds, prefix, name }: ComponentChoice & { readonly stigId: number },
): Promise<number> {
  return database.transact(async (writer) => {
    const stig = await findBenchmark(writer, stigId, 'stig')
    const { prefix: ownPrefix, numbers } = numberingOf(stig.rules)
    const { major, minor } = numbersOf(stig.version)
    if (srgIds.length > 0) await requireSources(writer, srgIds, 'stig')
    const record = {
      ...recordOf(stig, { prefix: prefix ?? ownPrefix, name }),
      // A component needs a benchmark as its base, and without an SRG the STIG is the only one.
      srgIds: srgIds.length > 0 ? srgIds : [stigId],
      version: major,
      release: minor,
    }
    const { id } = await insertPublished(writer, { stig, record, numbers }, grant)
    return id
  })
}

function recordOf(
  { benchmarkId, title, description, publisher }: StoredBenchmark,
  { prefix, name }: { readonly prefix: string; readonly name: string | undefined },
): Omit<NewRecord, 'srgIds' | 'publishedSource' | 'projectId'> {
  return {
    documentType: 'stig',
    overlaid: null,
    name: name ?? benchmarkId,
    prefix,
    title,
    description,
    version: null,
    release: null,
    admin: { name: publisher, email: null },
    advancedFields: false,
    metadata: {},
  }
}

const STIG_ID = /^([A-Z0-9]{4}-[A-Z0-9]{2})-(\d{6})$/

/**
 * The prefix and the numbers that keep the STIG ids of rules, such as `RHEL-09-211010`. If a rule lacks such an id, all
 * rules are numbered in order.
 */
function numberingOf(rules: readonly Rule[]): { readonly prefix: string; readonly numbers: readonly number[] } {
  const ids = rules.map(({ version }) => STIG_ID.exec(version ?? ''))
  const prefix = ids.find((id) => id !== null)?.[1] ?? 'RULE-00'
  const numbers = ids.flatMap((id) => (id?.[1] === prefix ? [Number(id[2])] : []))
  const isComplete = new Set(numbers).size === rules.length && !numbers.includes(0)
  return { prefix, numbers: isComplete ? numbers : rules.map((_, index) => index + 1) }
}

interface SheetChoice extends ComponentChoice {
  readonly file: SourceFile
  /** Null refuses a CSV file that is not in UTF-8. */
  readonly encoding: SheetEncoding | null
}

/** Makes a component from a spreadsheet and its SRG. */
export async function componentOfSheet(
  { database }: Workspace,
  grant: ProjectGrant,
  { file, srgIds, prefix, name, encoding }: SheetChoice,
): Promise<number> {
  const [srgId] = srgIds
  if (srgId === undefined) throw new Refusal('usage', 'A spreadsheet needs the SRG that it is based on: --srg FILE.')
  const componentName = name ?? file.stem
  const fields = {
    name: componentName,
    title: componentName,
    security_requirements_guide_id: String(srgId),
    admin_name: grant.caller.name,
    ...(prefix !== undefined && { prefix }),
    ...(encoding !== null && { encoding }),
  }
  const upload = { path: file.path, bytes: file.bytes, fileName: file.stem, fields, discard: () => Promise.resolve() }
  try {
    const { componentId } = await createFromSpreadsheet({ database }, grant, upload)
    return componentId
  } catch (error) {
    throw encoding === null && error instanceof Refusal && error.code === 'bad_encoding' ? nameEncoding(error) : error
  }
}

/** Names the options of the command in the refusal of a guessed encoding. */
function nameEncoding(refusal: Refusal): Refusal {
  const { success, data } = guessed.safeParse(refusal.members)
  if (!success) return refusal
  const { name } = data.encoding
  const detail = `The file is not in UTF-8, but probably in ${name}. See how "parapet check" reads it, then add --encoding ${name}.`
  return new Refusal('bad_encoding', detail)
}

const guessed = z.object({ encoding: z.object({ name: z.enum(SHEET_ENCODINGS) }) })

/** Imports all components of an archive. The workspace must have the SRGs that the archive lacks. */
export async function componentsOfArchive(
  { database }: Workspace,
  { caller, projectId }: ProjectGrant,
  { path, bytes, stem }: SourceFile,
): Promise<void> {
  const upload = { path, bytes, fileName: stem, fields: {}, discard: () => Promise.resolve() }
  const archive = await readArchive(upload, caller)
  const choice = { filter: null, includeReviews: true, includeMemberships: false }
  const request = { ...choice, caller, projectId, bounded: false, scanner: null }
  const source = await prepareImport(database.read, { archive, path }, request)
  await importArchive(database, { ...request, source }, () => Promise.resolve(projectId))
}
