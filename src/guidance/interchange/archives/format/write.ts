import { createGunzip } from 'node:zlib'
import type { Document } from '../../../../http/answer/answers.ts'
import { yieldPieces } from '../../../../platform/concurrency/pieces.ts'
import type { Role } from '../../../database/schema/memberships.ts'
import type { Reader } from '../../../database/transaction.ts'
import { plain } from '../../exports/files/file-names.ts'
import { zipOf, type Member } from '../../exports/files/zip.ts'
import { filesOf } from './component-files.ts'
import { findHeads, type ArchiveHead, type SourceSrg } from './heads.ts'
import { FORMAT_VERSIONS } from './schemas.ts'

export interface ArchiveJob {
  readonly reader: Reader
  /** At least one. */
  readonly componentIds: readonly number[]
  /** Whether to add the project. Otherwise the archive has a single component alone. */
  readonly withProject: boolean
  /** Whether to add the documents of their SRGs. */
  readonly includeSrg: boolean
  /** Whether to add the members of the project. */
  readonly includeMemberships: boolean
  /** Whether to add people's addresses to their names. */
  readonly withEmail: boolean
  /** Whether to leave out comments, milestones and the files of attachments. */
  readonly onlyRules: boolean
  /** Without the extension. */
  readonly fileName: string
  /** The version of this program. */
  readonly version: string
  readonly now: Date
}

/**
 * Writes components as a JSON archive, which any instance can import. Writes while it reads, so that only a few rules
 * are in memory.
 */
export function writeArchive(job: ArchiveJob): Document {
  return {
    mediaType: 'application/zip',
    fileName: `${job.fileName}-archive.zip`,
    body: zipOf(membersOf(job), job.now),
  }
}

async function* membersOf(job: ArchiveJob): AsyncGenerator<Member, void> {
  const heads = await findHeads(job.reader, job.componentIds)
  const srgs = job.includeSrg ? srgsOf(heads) : []
  yield json('manifest.json', {
    backup_format_version: FORMAT_VERSIONS.at(-1),
    parapet_version: job.version,
    exported_at: job.now.toISOString(),
    components: heads.map(({ entry }) => entry),
    ...(job.includeSrg && {
      srgs: srgs.map(({ srg_id, title, version }) => ({ srg_id, title, version })),
    }),
  })
  const [first] = heads
  if (job.withProject && first !== undefined)
    yield json('project.json', await shapeProject(job, first.component.project_id))
  for (const [index, head] of heads.entries()) {
    const folder = heads.length === 1 && !job.withProject ? '' : `components/${folderOf(heads, index)}/`
    for await (const { name, content } of filesOf(job, head)) yield { name: `${folder}${name}`, content }
  }
  for (const srg of srgs) yield { name: `srgs/${srg.fileName}`, content: xmlOf(job.reader, srg.id) }
}

function json(name: string, value: object): Member {
  return { name, content: yieldPieces([`${JSON.stringify(value, null, 2)}\n`]) }
}

/** `Red-Pot-9-V1R2`; gets a number if an earlier component has the same name, ignoring case. */
function folderOf(heads: readonly ArchiveHead[], index: number): string {
  const names = heads.map(
    ({ component: { name, version, release } }) => `${plain(name)}-V${version ?? 0}R${release ?? 0}`,
  )
  const ownName = names[index] ?? ''
  const before = names.slice(0, index).filter((name) => name.toLowerCase() === ownName.toLowerCase())
  return before.length === 0 ? ownName : `${ownName}-${before.length + 1}`
}

async function shapeProject({ reader, withEmail, includeMemberships }: ArchiveJob, id: number): Promise<object> {
  const { name, description, visibility, metadata } = await reader
    .selectFrom('projects')
    .select(['name', 'description', 'visibility', 'metadata'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const members = includeMemberships ? await findMembers(reader, id) : []
  const memberships = members.map((member) => (withEmail ? member : { ...member, email: null }))
  const data: unknown = JSON.parse(metadata)
  return { name, description, visibility, metadata: data, memberships }
}

function findMembers(
  reader: Reader,
  projectId: number,
): Promise<{ readonly email: string; readonly name: string; readonly role: Role }[]> {
  return reader
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.email', 'users.name', 'memberships.role'])
    .where('memberships.project_id', '=', projectId)
    .orderBy('memberships.id')
    .execute()
}

interface ArchivedSrg extends SourceSrg {
  readonly fileName: string
}

/** Lists the SRGs by id, without duplicates. */
function srgsOf(heads: readonly ArchiveHead[]): readonly ArchivedSrg[] {
  const byId = new Map(heads.flatMap(({ sources }) => sources.map((srg) => [srg.id, srg] as const)))
  const srgs = [...byId.values()].sort((a, b) => a.id - b.id)
  return srgs.map((srg) => ({
    ...srg,
    fileName: `${plain(srg.srg_id)}-${plain(srg.version)}-${srg.id}-xccdf.xml`,
  }))
}

/** The document in its uploaded form. */
async function* xmlOf(reader: Reader, benchmarkId: number): AsyncGenerator<Uint8Array, void> {
  const { content } = await reader
    .selectFrom('benchmark_files')
    .select('content')
    .where('benchmark_id', '=', benchmarkId)
    .executeTakeFirstOrThrow()
  const unpacked = createGunzip()
  unpacked.end(Buffer.from(content))
  for await (const chunk of unpacked) if (chunk instanceof Uint8Array) yield chunk
}
