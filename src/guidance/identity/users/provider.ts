import { sql, type RawBuilder } from 'kysely'

/** The first provider that a user of the query's `users` table was linked with; null for none. */
export const firstProvider: RawBuilder<'oidc' | 'ldap' | null> = sql`(
  select provider from identities where user_id = users.id order by identities.id limit 1)`
