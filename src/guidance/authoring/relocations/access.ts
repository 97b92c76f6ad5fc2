import { z } from 'zod'
import { type Access, callerAccess, type CallerGrant } from '../../../http/access.ts'
import type { Caller } from '../../../http/caller.ts'
import { pathId, refuseInput } from '../../../http/input.ts'
import { plainFault } from '../../../http/plain-faults.ts'
import type { Database } from '../../database/database.ts'
import type { Reader } from '../../database/transaction.ts'
import { requireComponentRole } from '../access/component-access.ts'
import { isSentTo } from './faults.ts'
import { requireOpen, type OpenRelocation } from './record.ts'
import { deciding } from './schemas.ts'

export interface RelocationGrant extends CallerGrant {
  readonly relocation: OpenRelocation
}

export interface DeciderGrant extends RelocationGrant {
  readonly targetId: number
}

/** Admits authors of the component that has the requirement. */
export function sourceAuthor(database: Database): Access<RelocationGrant> {
  return callerAccess('component author of the source', (caller, request) =>
    requireSourceAuthor(database.read, caller, pathId(request)),
  )
}

export async function requireSourceAuthor(reader: Reader, caller: Caller, id: number): Promise<RelocationGrant> {
  const relocation = await requireOpen(reader, id)
  const { componentId } = relocation
  await requireComponentRole(reader, caller, { componentId, least: 'author' })
  return { caller, relocation }
}

/** Admits authors of the component in the body. */
export function targetAuthor(database: Database, failure: string): Access<DeciderGrant> {
  return callerAccess('component author of the target', async (caller, request) => {
    const relocationId = pathId(request)
    const parsed = z.object({ body: deciding }).safeParse({ body: request.body }, { error: plainFault })
    if (!parsed.success) throw refuseInput(parsed.error, request, failure)
    const { target_component_id: targetId } = parsed.data.body
    return requireDecider(database.read, caller, { id: relocationId, targetId })
  })
}

/**
 * Requires that the caller may decide. The proposal is the consent of the source, so authors of the target need no role
 * there. Authors of another target must be able to read the source to see the proposal.
 */
export async function requireDecider(
  reader: Reader,
  caller: Caller,
  { id, targetId }: { readonly id: number; readonly targetId: number },
): Promise<DeciderGrant> {
  const relocation = await requireOpen(reader, id)
  const { projectId } = await requireComponentRole(reader, caller, { componentId: targetId, least: 'author' })
  if (!(await isSentTo(reader, id, projectId))) {
    const { componentId } = relocation
    await requireComponentRole(reader, caller, { componentId, least: 'viewer' })
  }
  return { caller, relocation, targetId }
}
