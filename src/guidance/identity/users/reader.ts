import type { ExpressionBuilder, Selectable } from 'kysely'
import { notFound } from '../../../http/input.ts'
import { notAuthenticated } from '../../../http/refusals.ts'
import { append } from '../../../platform/append.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { IdentitiesTable, UsersTable } from '../../database/schema/users.ts'
import type { Reader } from '../../database/transaction.ts'
import { findOnlyAdmins, findUsableAdmins, isOnlyOne, type AdministeredProject } from './only-admin.ts'
import { firstProvider } from './provider.ts'
import type { AdministeredUser, CurrentUser } from './schemas.ts'
import { isOnlySignInMethod, type SignInMethods } from './sign-in-methods.ts'

export type User = Selectable<UsersTable>

export async function findUser(reader: Reader, id: number): Promise<User | null> {
  const query = reader.selectFrom('users').selectAll().where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

export async function requireUser(reader: Reader, id: number): Promise<User> {
  const user = await findUser(reader, id)
  if (user === null) throw notFound()
  return user
}

/** Finds the caller's account. If it was deleted during the request, the caller is not authenticated. */
export async function requireOwn(reader: Reader, { id }: { readonly id: number }): Promise<User> {
  const user = await findUser(reader, id)
  if (user === null) throw notAuthenticated()
  return user
}

/** By an address in any letter case. */
export async function findUserByEmail(reader: Reader, email: string): Promise<User | null> {
  const query = reader.selectFrom('users').selectAll().where('email', '=', email.toLowerCase())
  return (await query.executeTakeFirst()) ?? null
}

/** The user linked with an identity at a provider. */
export async function findUserByIdentity(
  reader: Reader,
  { provider, uid }: { readonly provider: 'oidc' | 'ldap'; readonly uid: string },
): Promise<User | null> {
  const user = reader
    .selectFrom('users')
    .innerJoin('identities', 'identities.user_id', 'users.id')
    .selectAll('users')
    .where('identities.provider', '=', provider)
    .where('identities.uid', '=', uid)
  return (await user.executeTakeFirst()) ?? null
}

export async function findCurrentUser(reader: Reader, id: number): Promise<CurrentUser> {
  const user = await reader
    .selectFrom('users')
    .select(['id', 'name', 'email', 'admin'])
    .select(firstProvider.as('provider'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound())
  return { ...user, admin: user.admin === 1 }
}

/** Lists administered users by name. Each further property is read with one query for all users. */
export async function findAdministeredUsers(
  reader: Reader,
  methods: SignInMethods,
  userId?: number,
): Promise<AdministeredUser[]> {
  let users = reader.selectFrom('users').selectAll().select(countFactors)
  let identities = reader.selectFrom('identities').select(['id', 'user_id', 'provider', 'email', 'last_sign_in_at'])
  if (userId !== undefined) {
    users = users.where('id', '=', userId)
    identities = identities.where('user_id', '=', userId)
  }
  const identityRows = await identities.orderBy('id').execute()
  const rows = await users.orderBy('search_key').orderBy('id').execute()
  const admins = await findUsableAdmins(reader)
  const projects = await findOnlyAdmins(reader, userId)
  const byUser = new Map<number, typeof identityRows>()
  for (const identity of identityRows) append(byUser, identity.user_id, identity)
  return rows.map((user) =>
    shapeAdministered(user, {
      methods,
      identities: byUser.get(user.id) ?? [],
      isLastAdmin: user.admin === 1 && isOnlyOne(admins, user.id),
      projects: projects.get(user.id) ?? [],
    }),
  )
}

function countFactors(is: ExpressionBuilder<Schema, 'users'>) {
  return is
    .selectFrom('second_factors')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .whereRef('second_factors.user_id', '=', 'users.id')
    .as('second_factors')
}

type StoredIdentity = Pick<Selectable<IdentitiesTable>, 'id' | 'provider' | 'email' | 'last_sign_in_at'>

interface AccountDetails {
  readonly methods: SignInMethods
  readonly identities: readonly StoredIdentity[]
  readonly isLastAdmin: boolean
  readonly projects: readonly AdministeredProject[]
}

function shapeAdministered(
  user: User & { readonly second_factors: number | null },
  { methods, identities, isLastAdmin, projects }: AccountDetails,
): AdministeredUser {
  const hasPassword = user.password_hash !== null
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    admin: user.admin === 1,
    provider: identities[0]?.provider ?? null,
    last_sign_in_at: user.last_sign_in_at,
    failed_attempts: user.failed_attempts,
    locked_at: user.locked_at,
    confirmed_at: user.confirmed_at,
    slack_user_id: user.slack_user_id,
    second_factors: user.second_factors ?? 0,
    second_factor_required: user.second_factor_required === 1,
    has_password: hasPassword,
    identities: identities.map(({ id, provider, email, last_sign_in_at }) => {
      const only_way_in = isOnlySignInMethod(methods, { hasPassword, identities }, id)
      const title = methods.titles.get(provider) ?? null
      return { id, provider, title, email, last_sign_in_at, only_way_in, can_unlink: !only_way_in }
    }),
    last_site_admin: isLastAdmin,
    only_admin_of: projects.map(({ id, name }) => ({ id, name })),
  }
}
