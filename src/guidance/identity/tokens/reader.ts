import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { PersonalAccessTokensTable } from '../../database/schema/tokens.ts'
import type { Reader } from '../../database/transaction.ts'
import { SCOPES, stringList, type Token } from './schemas.ts'

export type TokenRow = Selectable<PersonalAccessTokensTable>

export interface OwnedToken extends Token {
  readonly user_id: number
  readonly user_name: string
  readonly user_email: string
}

/** Finds the tokens of a user: unrevoked ones first, newest first in each group. */
export async function findTokens(reader: Reader, userId: number): Promise<OwnedToken[]> {
  const rows = await reader
    .selectFrom('personal_access_tokens as token')
    .innerJoin('users', 'users.id', 'token.user_id')
    .selectAll('token')
    .select(['users.name as user_name', 'users.email as user_email'])
    .where('token.user_id', '=', userId)
    .orderBy((is) => is.case().when('token.revoked_at', 'is', null).then(0).else(1).end())
    .orderBy('token.id', 'desc')
    .execute()
  return rows.map(({ user_name, user_email, ...row }) => ({
    ...shapeToken(row),
    user_id: row.user_id,
    user_name,
    user_email,
  }))
}

const scopeList = z.array(z.enum(SCOPES))

export function shapeToken(row: TokenRow): Token {
  return {
    id: row.id,
    name: row.name,
    token_prefix: row.token_prefix,
    scopes: scopeList.parse(JSON.parse(row.scopes)),
    expires_at: row.expires_at,
    last_used_at: row.last_used_at,
    revoked_at: row.revoked_at,
    allowed_ips: stringList.parse(JSON.parse(row.allowed_ips)),
    created_at: row.created_at,
  }
}
