import { sql, type RawBuilder } from 'kysely'
import type { SessionContent } from '../../../http/session.ts'
import type { GuidanceSettings } from '../../../platform/settings/guidance-settings.ts'
import type { Reader } from '../../database/transaction.ts'

export type SecondFactorRule = GuidanceSettings['secondFactor']

/** `exempt`: there is none, and none is needed; `missing`: there is none, but it is required. */
export type SecondFactorState = 'exempt' | 'missing' | 'present'

const REQUIRED: Record<SecondFactorRule, RawBuilder<boolean>> = {
  none: sql`users.second_factor_required = 1`,
  administrators: sql`(users.second_factor_required = 1 or users.admin = 1)`,
  everybody: sql`1 = 1`,
}

/** The query must have the `users` table. Users without a local password are exempt: their provider checks them. */
export function secondFactorState(rule: SecondFactorRule): RawBuilder<SecondFactorState> {
  return sql`case
    when users.password_hash is null then 'exempt'
    when exists (select 1 from second_factors where second_factors.user_id = users.id) then 'present'
    when ${REQUIRED[rule]} then 'missing'
    else 'exempt' end`
}

/**
 * Returns the step that a session still needs: to present the second factor, or to set one up; null for none.
 * Sessions of a provider need none, because the provider asks for its own factor.
 */
export function stepMissing(
  state: SecondFactorState,
  { byProvider, twoStep }: Pick<SessionContent, 'byProvider' | 'twoStep'>,
): 'sign-in' | 'setup' | null {
  if (byProvider === true || state === 'exempt') return null
  if (state === 'missing') return 'setup'
  return twoStep === true ? null : 'sign-in'
}

/** Whether a second factor is required of the user. */
export function isRequired(
  rule: SecondFactorRule,
  user: { readonly admin: number; readonly second_factor_required: number },
): boolean {
  if (user.second_factor_required === 1 || rule === 'everybody') return true
  return rule === 'administrators' && user.admin === 1
}

export async function hasSecondFactor(reader: Reader, userId: number): Promise<boolean> {
  const query = reader.selectFrom('second_factors').select('id').where('user_id', '=', userId).limit(1)
  return (await query.executeTakeFirst()) !== undefined
}
