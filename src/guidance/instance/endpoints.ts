import { z } from 'zod'
import { everyone, signedIn } from '../../http/access.ts'
import type { Caller } from '../../http/caller.ts'
import { endpoint, type Endpoint } from '../../http/endpoint.ts'
import { NO_INPUT } from '../../http/input.ts'
import { type AccessRequest, findAccessRequests } from '../authoring/access-requests/reader.ts'
import type { Reader } from '../database/transaction.ts'
import { userRef } from '../identity/users/schemas.ts'
import type { Parts } from '../parts/parts.ts'
import { publicSettings, shapeSettings } from './settings.ts'

/** The user administration lists further locked accounts. */
const MAX_LOCKED = 100

/** The pages (docs/contract.md, Navigation). */
const NAV_LINKS = [
  { icon: 'folder2-open', name: 'Projects', link: '/projects' },
  { icon: 'patch-check-fill', name: 'Released Components', link: '/components' },
  { icon: 'clipboard-check', name: 'STIGs', link: '/stigs' },
  { icon: 'clipboard', name: 'SRGs', link: '/srgs' },
  { icon: 'book', name: 'Documentation', link: '/docs' },
]

interface Person {
  readonly id: number
  readonly name: string
  readonly email: string
}

const TAG = 'Instance'

/** Clients read the settings of this instance here. */
export function instanceEndpoints(parts: Parts): readonly Endpoint[] {
  return [getSettings(parts), version(parts), navigation(parts)]
}

function getSettings({ settings }: Parts): Endpoint {
  const answer = shapeSettings(settings)
  return endpoint({
    method: 'get',
    path: '/api/settings',
    operation: 'getSettings',
    tag: TAG,
    summary: 'Public settings: ways to sign in, limits, and texts to show first',
    access: everyone,
    input: NO_INPUT,
    answer: publicSettings,
    handle: () => Promise.resolve(answer),
  })
}

const versions = z.object({
  name: z.string(),
  version: z.string(),
  commit: z.string().optional().meta({
    description: 'Commit that it was built from, if known; with + if sources were changed',
  }),
  framework: z.string().meta({ description: 'Version of Express' }),
  runtime: z.string().meta({ description: 'Version of Node.js' }),
  environment: z.string(),
})

function version(parts: Parts): Endpoint {
  const { version: ownVersion, commit, frameworkVersion, settings } = parts
  return endpoint({
    method: 'get',
    path: '/api/version',
    operation: 'getServiceVersion',
    tag: TAG,
    summary: 'Versions of the program, its framework and its runtime',
    access: everyone,
    input: NO_INPUT,
    answer: versions,
    handle: () =>
      Promise.resolve({
        name: 'Parapet',
        version: ownVersion,
        ...(commit !== null && { commit }),
        framework: frameworkVersion,
        runtime: process.versions.node,
        environment: settings.environment,
      }),
  })
}

const navigationSchema = z.object({
  nav_links: z.array(z.object({ icon: z.string(), name: z.string(), link: z.string() })),
  access_requests: z.array(
    z.object({
      id: z.int(),
      user: userRef,
      project: z.object({ id: z.int(), name: z.string() }),
    }),
  ),
  locked_users: z.array(userRef),
})

function navigation({ database, settings: { lockout } }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/navigation',
    operation: 'getNavigation',
    tag: TAG,
    summary: 'Links for navigation, and what awaits a decision of the caller',
    access: signedIn,
    input: NO_INPUT,
    answer: navigationSchema,
    handle: ({ grant: { caller } }) => findNavigation(database.read, caller, lockout.enabled),
  })
}

/** Site administrators get all access requests, others those of projects that they administer. */
async function findNavigation(
  reader: Reader,
  caller: Caller,
  lockout: boolean,
): Promise<{
  nav_links: typeof NAV_LINKS
  access_requests: AccessRequest[]
  locked_users: Person[]
}> {
  const access_requests = await findAccessRequests(reader, caller.admin ? null : { adminId: caller.id })
  const locked_users = caller.admin && lockout ? await findLockedUsers(reader) : []
  return { nav_links: NAV_LINKS, access_requests, locked_users }
}

async function findLockedUsers(reader: Reader): Promise<Person[]> {
  return reader
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('locked_at', 'is not', null)
    .orderBy('search_key')
    .orderBy('id')
    .limit(MAX_LOCKED)
    .execute()
}
