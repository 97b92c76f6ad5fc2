import { z } from 'zod'
import type { ReleaseAdministration, ReleaseChange } from '../../contracts/releases.ts'
import { siteAdmin } from '../../http/access.ts'
import { actorOf, type Caller } from '../../http/caller.ts'
import { endpoint, type Endpoint } from '../../http/endpoint.ts'
import { NO_INPUT } from '../../http/input.ts'
import { Refusal } from '../../platform/errors.ts'
import { writeAudit } from '../activity/audits/writer.ts'
import type { Parts } from '../parts/parts.ts'

const TAG = 'Releases'
/** Releases of the ontology have no number. */
const NO_ID = 0

export interface ReleaseParts extends Parts {
  /** Null where there is no ontology. */
  readonly releases: ReleaseAdministration | null
}

const params = z.object({ version: z.string().meta({ description: 'Version of a release' }) })

const changed = z.object({
  active: z.string(),
  previous: z.string().nullable(),
  served: z.boolean().meta({ description: 'Whether this process already serves it' }),
})

/** Site administrators choose the release of the ontology that is served. */
export function ontologyReleaseEndpoints(parts: ReleaseParts): readonly Endpoint[] {
  return [activate(parts), rollback(parts), remove(parts)]
}

function activate(parts: ReleaseParts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/api/releases/{version}/activate',
    operation: 'activateRelease',
    tag: TAG,
    summary: 'Activate a release of the ontology',
    refusals: ['release_not_found', 'folder_unusable', 'no_release'],
    access: siteAdmin,
    input: z.object({ params }),
    answer: changed,
    handle: async ({ grant: { caller }, input: { params } }) => {
      const releases = requireReleases(parts)
      const { from, to, served } = await auditChange(parts, caller, (writeEntry) =>
        releases.activate(params.version, (change) => writeEntry(activation(change, null))),
      )
      return { active: to, previous: from, served }
    },
  })
}

function rollback(parts: ReleaseParts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/api/releases/rollback',
    operation: 'rollBackRelease',
    tag: TAG,
    summary: 'Roll back to the release of the ontology that was active before',
    refusals: ['no_earlier_release', 'folder_unusable', 'no_release'],
    access: siteAdmin,
    input: NO_INPUT,
    answer: changed,
    handle: async ({ grant: { caller } }) => {
      const releases = requireReleases(parts)
      const { from, to, served } = await auditChange(parts, caller, (writeEntry) =>
        releases.rollback((change) => writeEntry(activation(change, 'Rolled back'))),
      )
      return { active: to, previous: from, served }
    },
  })
}

function remove(parts: ReleaseParts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/api/releases/{version}',
    operation: 'removeRelease',
    tag: TAG,
    summary: 'Delete a release of the ontology that is not served',
    refusals: ['release_not_found', 'release_is_active', 'folder_unusable', 'no_release'],
    access: siteAdmin,
    input: z.object({ params }),
    answer: z.object({ removed: z.string() }),
    handle: async ({ grant: { caller }, input: { params } }) => {
      const releases = requireReleases(parts)
      await auditChange(parts, caller, (writeEntry) =>
        releases.remove(params.version, (version) =>
          writeEntry({ action: 'destroy', name: version, before: { version } }),
        ),
      )
      return { removed: params.version }
    },
  })
}

function requireReleases({ releases }: ReleaseParts): ReleaseAdministration {
  if (releases !== null) return releases
  throw new Refusal('no_release', 'This service has no ontology.')
}

interface ReleaseAuditEntry {
  readonly action: 'update' | 'destroy' | 'custom'
  readonly name: string
  readonly comment?: string | null
  readonly before?: Readonly<Record<string, string | null>>
  readonly after?: Readonly<Record<string, string | null>>
}

function activation({ from, to }: ReleaseChange, comment: string | null): ReleaseAuditEntry {
  return { action: 'update', name: to, comment, before: { active: from }, after: { active: to } }
}

/**
 * Releases are files, so their changes cannot be committed together with the audit trail. The entry is written before the
 * change, and another entry if the change fails.
 */
async function auditChange<T>(
  { database }: Parts,
  caller: Caller,
  work: (writeEntry: (entry: ReleaseAuditEntry) => Promise<void>) => Promise<T>,
): Promise<T> {
  const write = ({ name, ...entry }: ReleaseAuditEntry): Promise<void> =>
    database.transact((writer) => {
      const subject = { type: 'OntologyRelease', id: NO_ID, name }
      return writeAudit(writer, actorOf(caller), { subject, ...entry })
    })
  const written: ReleaseAuditEntry[] = []
  try {
    return await work(async (entry) => {
      await write(entry)
      written.push(entry)
    })
  } catch (error) {
    for (const { name } of written) await write({ action: 'custom', name, comment: 'It failed: nothing has changed' })
    throw error
  }
}
