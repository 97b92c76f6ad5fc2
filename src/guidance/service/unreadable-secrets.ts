import type { Log } from '../../platform/log.ts'
import { openSecret as openWebhookSecret } from '../activity/webhooks/secret.ts'
import type { Reader } from '../database/transaction.ts'
import { openSecret as openCodeSecret } from '../identity/second-factor/one-time-codes.ts'
import type { Keys } from '../parts/keys.ts'

/**
 * Warns if the database has secrets that were encrypted with another key, such as that of another installation. The service
 * would start, and only users of these secrets would notice. Null if all can be read.
 */
export async function noticeUnreadableSecrets(read: Reader, keys: Keys, log: Log): Promise<string | null> {
  const hooks = await read.selectFrom('webhooks').select(['project_id', 'secret']).execute()
  const codes = await read.selectFrom('second_factors').select(['user_id', 'key']).where('kind', '=', 'totp').execute()
  const webhooks = countUnreadable(hooks, (one) => openWebhookSecret(one.secret, keys.webhook, one.project_id))
  const factors = countUnreadable(codes, (one) => openCodeSecret(one.key, keys.oneTimeCode, one.user_id))
  if (webhooks + factors === 0) return null
  const text =
    `The secrets of ${webhooks} of ${hooks.length} webhooks and of ${factors} of ${codes.length} one-time codes ` +
    'cannot be read with this key. If it is not the key of this database, stop the service and put that in its place ' +
    '(SERVICE_SECRET_KEY, or secret.key in the data folder). If the right key is lost, give the webhooks new secrets, and ' +
    'reset the second factors.'
  log.error({ webhooks, factors }, text)
  return text
}

function countUnreadable<T>(all: readonly T[], open: (one: T) => string): number {
  return all.filter((one) => {
    try {
      open(one)
      return false
    } catch {
      return true
    }
  }).length
}
