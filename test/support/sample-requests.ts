import { randomBytes } from 'node:crypto'
import type { LinkPurpose } from '../../src/guidance/database/schema/links.ts'
import { makeLink } from '../../src/guidance/identity/links/links.ts'
import { mintToken } from '../../src/guidance/identity/tokens/format.ts'
import { dayFromNow } from '../../src/guidance/identity/tokens/schemas.ts'
import { insertToken } from '../../src/guidance/identity/tokens/writer.ts'
import { SYSTEM } from '../../src/http/caller.ts'
import { CATALOGUE_SAMPLES } from './catalogue-samples.ts'
import type { Form } from './form.ts'
import { addRow, rowOf } from './guidance-records.ts'
import { PASSWORD, type GuidanceUnderTest, type Person } from './guidance.ts'
import { LDAP_PASSWORD } from './ldap-server.ts'
import type { OidcServer } from './oidc-server.ts'
import { ARCHIVE_SAMPLES } from './samples/archives.ts'
import { COMPONENT_SAMPLES } from './samples/components.ts'
import { EVENT_SAMPLES } from './samples/events.ts'
import { EXPORT_SAMPLES } from './samples/exports.ts'
import { FIGURE_SAMPLES } from './samples/figures.ts'
import { RELEASE_SAMPLES } from './samples/releases.ts'
import { RELOCATION_SAMPLES } from './samples/relocations.ts'
import { REVIEW_SAMPLES } from './samples/reviews.ts'
import { RULE_SAMPLES } from './samples/rules.ts'
import { SEARCH_SAMPLES } from './samples/search.ts'
import { SECOND_FACTOR_SAMPLES } from './samples/second-factors.ts'

export interface SampleRequest {
  readonly params?: Readonly<Record<string, number | string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** Replaces the body. */
  readonly form?: Form
  readonly headers?: Readonly<Record<string, string>>
}

/** Records and people from which a sample request is made. */
export interface Scene {
  readonly guidance: GuidanceUnderTest
  /** The owner of records that belong to one person; any person if nobody is signed in. */
  readonly caller: Person
  /** A new project. */
  readonly project: () => Promise<number>
  /** A new account, not a member of anything. */
  readonly someone: () => Promise<Person>
  /** Null if no single sign-on is set up. */
  readonly oidc: OidcServer | null
}

export type Sample = (scene: Scene) => SampleRequest | Promise<SampleRequest>

const NEW_PASSWORD = 'Another-Horse-43-!Staple'

/**
 * A request that succeeds for a permitted caller, by operation, or by operation and case. The records that it changes
 * or removes were created for it.
 */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  getCurrentUser: () => ({}),
  getCsrfToken: () => ({}),
  signIn: async ({ someone }) => ({ body: { email: (await someone()).email, password: PASSWORD } }),
  signOut: () => ({}),
  beginSingleSignOn: () => ({ query: { return_to: '/projects' } }),
  finishSingleSignOn: singleSignOn,
  signInWithLdap: () => ({ body: { username: 'ann', password: LDAP_PASSWORD } }),
  registerUser: () => ({ body: { user: { ...newPerson(), password: PASSWORD } } }),
  requestConfirmation: addressed,
  confirmAddress: async (scene) => ({ body: { confirmation_token: await link(scene, 'confirm_email') } }),
  requestPasswordReset: addressed,
  checkPasswordReset: async (scene) => ({ query: { reset_password_token: await link(scene, 'reset_password') } }),
  resetPassword: async (scene) => {
    const reset_password_token = await link(scene, 'reset_password')
    return { body: { user: { reset_password_token, password: NEW_PASSWORD } } }
  },
  requestUnlock: addressed,
  unlockAccount: async (scene) => ({ body: { unlock_token: await link(scene, 'unlock') } }),
  getOwnAccount: () => ({}),
  updateOwnAccount: ({ caller }) => ({ body: { user: { name: caller.name } } }),
  deleteOwnAccount: () => ({ body: { user: { current_password: PASSWORD } } }),
  linkIdentity: () => ({ body: { current_password: PASSWORD } }),
  unlinkIdentity: async (scene) => ({ body: { identity_id: await identity(scene), current_password: PASSWORD } }),
  listSessions: () => ({}),
  endSession: async (scene) => ({ params: { id: await session(scene) } }),
  endOtherSessions: () => ({}),
  listTokens: () => ({}),
  createToken: () => ({
    body: {
      personal_access_token: {
        name: 'A token',
        scopes: ['read'],
        expires_at: dayFromNow(30),
        allowed_ips: ['127.0.0.1', '10.0.0.0/8'],
        current_password: PASSWORD,
      },
    },
  }),
  'revokeToken own': async (scene) => ({ params: { id: await token(scene, scene.caller) } }),
  'revokeToken of somebody else': async (scene) => ({ params: { id: await token(scene, await scene.someone()) } }),
  revokeTokenAsAdministrator: async (scene) => ({
    params: { id: await token(scene, await scene.someone()) },
    body: { audit_comment: 'Found in a public place' },
  }),
  getSettings: () => ({}),
  getServiceVersion: () => ({}),
  getNavigation: () => ({}),
  getHome: () => ({}),
  acknowledgeConsent: () => ({}),
  createFirstAdministrator: async (scene) => ({
    body: { token: await link(scene, 'setup'), user: { ...newPerson(), password: PASSWORD } },
  }),
  listUsers: () => ({}),
  createUser: () => ({ body: { user: { ...newPerson(), admin: false, slack_user_id: null } } }),
  updateUser: async (scene) => ({ ...(await about(scene)), body: { user: { name: 'Renamed' } } }),
  deleteUser: aboutWithProof,
  lockUser: about,
  unlockUser: about,
  sendPasswordReset: about,
  generateResetLink: aboutWithProof,
  setPassword: async (scene) => ({ ...(await about(scene)), body: { user: { password: NEW_PASSWORD } } }),
  unlinkIdentityOf: async (scene) => {
    const whose = await scene.someone()
    return { params: { id: whose.id }, body: { identity_id: await identity(scene, whose) } }
  },
  'searchUsers not yet members': (scene) => searching(scene, {}),
  'searchUsers members': (scene) => searching(scene, { scope: 'members' }),
  listProjects: () => ({ query: { q: 'project', sort: 'name', order: 'desc', page: '1', per_page: '1' } }),
  listProjectCards: () => ({}),
  createProject: () => ({
    body: {
      project: {
        name: 'A new project',
        description: 'For a test',
        visibility: 'hidden',
        project_metadata_attributes: { data: { Owner: 'Nobody' } },
        slack_channel_id: 'C1',
      },
    },
  }),
  getProject: inProject,
  updateProject: async (scene) => ({
    ...(await inProject(scene)),
    body: { project: { name: 'Renamed', description: null, visibility: 'hidden', lock_version: 0 } },
  }),
  deleteProject: inProject,
  getProjectHistories: inProject,
  createMembership: async ({ project, someone }) => ({
    body: {
      membership: {
        user_id: (await someone()).id,
        role: 'author',
        membership_type: 'Project',
        membership_id: await project(),
        access_request_id: null,
      },
    },
  }),
  updateMembership: async (scene) => ({ ...(await membership(scene)), body: { membership: { role: 'reviewer' } } }),
  deleteMembership: membership,
  requestAccess: inProject,
  'deleteAccessRequest own': (scene) => accessRequest(scene, scene.caller),
  'deleteAccessRequest of somebody else': async (scene) => accessRequest(scene, await scene.someone()),
  ...SECOND_FACTOR_SAMPLES,
  ...CATALOGUE_SAMPLES,
  ...RULE_SAMPLES,
  ...RELOCATION_SAMPLES,
  ...COMPONENT_SAMPLES,
  ...EXPORT_SAMPLES,
  ...FIGURE_SAMPLES,
  ...REVIEW_SAMPLES,
  ...ARCHIVE_SAMPLES,
  ...EVENT_SAMPLES,
  ...SEARCH_SAMPLES,
  ...RELEASE_SAMPLES,
  listAudits: () => ({ query: { auditable_type: 'Project', auditable_id: '1', page: '1', per_page: '1' } }),
}

/** The samples of an operation: one, or one for each case. */
export function samplesOf(operation: string): readonly (readonly [string, Sample])[] {
  return Object.entries(SAMPLES).filter(([name]) => name.split(' ')[0] === operation)
}

/** The address of a sample request at a path with parameters in braces. */
export function addressOf(path: string, { params = {}, query }: SampleRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(params[name]))
  return query === undefined ? filled : `${filled}?${new URLSearchParams(query).toString()}`
}

async function singleSignOn({ guidance, oidc }: Scene): Promise<SampleRequest> {
  if (oidc === null) return { query: { code: 'a', state: 'b' } }
  const { headers } = await guidance.nobody.call('GET', '/users/auth/oidc')
  const back = await oidc.signInAt(String(headers.location), { account: 'verified' })
  const Cookie = (headers['set-cookie'] ?? []).map((header) => header.split(';')[0]).join('; ')
  return { query: Object.fromEntries(back.searchParams), headers: { Cookie } }
}

async function addressed({ someone }: Scene): Promise<SampleRequest> {
  return { body: { user: { email: (await someone()).email } } }
}

async function about({ someone }: Scene): Promise<SampleRequest> {
  return { params: { id: (await someone()).id } }
}

async function aboutWithProof(scene: Scene): Promise<SampleRequest> {
  return { ...(await about(scene)), body: { user: { current_password: PASSWORD } } }
}

async function inProject({ project }: Scene): Promise<SampleRequest> {
  return { params: { id: await project() } }
}

async function searching({ project }: Scene, filters: Readonly<Record<string, string>>): Promise<SampleRequest> {
  const membership_id = String(await project())
  return { query: { q: 'example', membership_type: 'Project', membership_id, limit: '5', ...filters } }
}

async function link({ guidance, someone }: Scene, purpose: LinkPurpose): Promise<string> {
  const { database, keys } = guidance.service.guidance
  const person = purpose === 'setup' ? null : await someone()
  const wanted = { purpose, userId: person?.id ?? null, email: person?.email ?? null }
  return database.transact((writer) => makeLink(writer, keys.link, wanted))
}

async function identity(
  { guidance, caller }: Scene,
  { id: user_id, email }: Pick<Person, 'id' | 'email'> = caller,
): Promise<number> {
  const uid = randomBytes(8).toString('hex')
  const created_at = new Date().toISOString()
  return addRow(guidance, 'identities', { user_id, provider: 'oidc', uid, email, created_at })
}

/** Adds a second session of the caller, which can be ended instead of the current one. */
async function session({ guidance, caller }: Scene): Promise<number> {
  const now = new Date().toISOString()
  return addRow(guidance, 'sessions', {
    digest: randomBytes(8).toString('hex'),
    user_id: caller.id,
    data: '{}',
    created_at: now,
    touched_at: now,
    expires_at: dayFromNow(1),
  })
}

async function token({ guidance }: Scene, owner: Person): Promise<number> {
  const { database, keys } = guidance.service.guidance
  const wanted = {
    userId: owner.id,
    raw: mintToken(),
    name: 'To be revoked',
    scopes: ['read'],
    expires_at: dayFromNow(30),
    allowed_ips: [],
  }
  const issuance = { key: keys.token, actor: SYSTEM, title: 'A test failed.' }
  const { id } = await database.transact((writer) => insertToken(writer, wanted, issuance))
  return id
}

async function membership({ guidance, project, someone }: Scene): Promise<SampleRequest> {
  const projectId = await project()
  const member = await someone()
  await guidance.member(projectId, member, 'viewer')
  const { id } = await rowOf(guidance, 'memberships', { project_id: projectId, user_id: member.id })
  return { params: { id } }
}

/** A member can have a request, too, if they were added after it. */
async function accessRequest({ guidance, project }: Scene, asking: Person): Promise<SampleRequest> {
  const id = await project()
  const created_at = new Date().toISOString()
  const requestId = await addRow(guidance, 'project_access_requests', {
    user_id: asking.id,
    project_id: id,
    created_at,
  })
  return { params: { id, requestId } }
}

function newPerson(): { readonly name: string; readonly email: string } {
  const name = `New-${randomBytes(8).toString('hex')}`
  return { name, email: `${name.toLowerCase()}@example.org` }
}
