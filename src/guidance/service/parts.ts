import type { Log } from '../../platform/log.ts'
import type { GuidanceSettings, Secrets } from '../../platform/settings/guidance-settings.ts'
import { StorageWatch } from '../../platform/storage-watch.ts'
import { openSecret as openWebhookSecret } from '../activity/webhooks/secret.ts'
import { databaseAddress, openDatabase } from '../database/database.ts'
import type { Reader } from '../database/transaction.ts'
import type { OidcProvider } from '../identity/identity-providers/oidc.ts'
import type { Mailer } from '../identity/mail/mailer.ts'
import type { IdentityParts } from '../identity/parts.ts'
import { openSecret as openCodeSecret } from '../identity/second-factor/one-time-codes.ts'
import { keyFile, type Keys, openKeys } from '../parts/keys.ts'
import { noticeLostKey, warnIfOthersCanRead } from '../parts/lost-key.ts'
import { type Counters, openCounters } from './counters.ts'

export interface PartOptions {
  readonly settings: GuidanceSettings
  readonly secrets: Secrets
  readonly dataDir: string
  readonly baseUrl: string
  readonly version: string
  /** The commit that the program was built from; null if unknown. */
  readonly commit?: string | null
  readonly frameworkVersion: string
  readonly log: Log
  /** Default: counted by this process for itself. */
  readonly counters?: Counters
  /** Whether an empty database may be made where one has been lost. */
  readonly isNew?: boolean
  /** Called before a used database is upgraded. */
  readonly beforeUpgrade?: () => Promise<void>
  /** Whether to retry, for the time in the settings, if the database does not answer. */
  readonly mayWait?: boolean
}

/** Opens the parts that the service and the operator share, and upgrades the database. */
export async function openParts(options: PartOptions): Promise<IdentityParts> {
  const { settings, secrets, log, baseUrl, version, commit = null, frameworkVersion } = options
  const { ldap } = settings
  const { ldapBindPassword: bindPassword } = secrets
  return {
    settings,
    log,
    baseUrl,
    version,
    commit,
    frameworkVersion,
    ...(await openDatabaseAndKey(options)),
    ...(options.counters ?? openCounters(settings)),
    mailer: await createMailer(options),
    oidc: await createOidc(options),
    ldap: ldap === null ? null : { settings: ldap, bindPassword },
  }
}

/** The libraries of mail and of single sign-on are only loaded if they are set up. */
async function createMailer({ settings, secrets, log }: PartOptions): Promise<Mailer | null> {
  const { smtp } = settings
  const { smtpUrl } = secrets
  if (smtp === null || smtpUrl === null) return null
  const { Mailer } = await import('../identity/mail/mailer.ts')
  return new Mailer({ smtpUrl, from: smtp.from, log })
}

async function createOidc(options: PartOptions): Promise<OidcProvider | null> {
  const { settings, secrets, baseUrl } = options
  if (settings.oidc === null) return null
  const { OidcProvider } = await import('../identity/identity-providers/oidc.ts')
  const redirectUri = `${baseUrl}/users/auth/oidc/callback`
  const { oidcClientSecret: clientSecret } = secrets
  return new OidcProvider({ settings: settings.oidc, clientSecret, redirectUri })
}

/** Opens the database before the key, to notice a database without its key. */
async function openDatabaseAndKey({
  secrets: { secretKey, databaseUrl: url },
  settings: { slowMs, databaseWaitMs },
  dataDir,
  log,
  isNew = false,
  mayWait = false,
  beforeUpgrade,
}: PartOptions): Promise<Pick<IdentityParts, 'database' | 'storage' | 'keys' | 'lostKey'>> {
  const storage = new StorageWatch(log)
  const databaseOptions = { isNew, slowMs, waitMs: mayWait ? databaseWaitMs : 0, beforeUpgrade }
  const database = await openDatabase({ url, dataDir, log, storage, ...databaseOptions })
  try {
    const lostKey = await noticeLostKey({ database, secretKey, dataDir, log })
    const keys = openKeys(secretKey, dataDir)
    const unreadable = lostKey ?? (await noticeUnreadableSecrets(database.read, keys, log))
    const address = databaseAddress(url, dataDir)
    const databaseFiles = 'file' in address ? [address.file, `${address.file}-wal`] : []
    warnIfOthersCanRead([...(secretKey === null ? [keyFile(dataDir)] : []), ...databaseFiles], log)
    return { database, storage, keys, lostKey: unreadable }
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Warns if the database has secrets that were encrypted with another key, such as that of another installation. The service
 * would start, and only users of these secrets would notice. Null if all can be read.
 */
async function noticeUnreadableSecrets(read: Reader, keys: Keys, log: Log): Promise<string | null> {
  const hooks = await read.selectFrom('webhooks').select(['project_id', 'secret']).execute()
  const codes = await read.selectFrom('second_factors').select(['user_id', 'key']).where('kind', '=', 'totp').execute()
  const webhooks = countUnreadable(hooks, (webhook) =>
    openWebhookSecret(webhook.secret, keys.webhook, webhook.project_id),
  )
  const factors = countUnreadable(codes, (factor) => openCodeSecret(factor.key, keys.oneTimeCode, factor.user_id))
  if (webhooks + factors === 0) return null
  const text =
    `The secrets of ${webhooks} of ${hooks.length} webhooks and of ${factors} of ${codes.length} one-time codes ` +
    'cannot be read with this key. If it is not the key of this database, stop the service and put that in its place ' +
    '(SERVICE_SECRET_KEY, or secret.key in the data folder). If the right key is lost, give the webhooks new secrets, and ' +
    'reset the second factors.'
  log.error({ webhooks, factors }, text)
  return text
}

function countUnreadable<T>(items: readonly T[], open: (item: T) => string): number {
  return items.filter((item) => {
    try {
      open(item)
      return false
    } catch {
      return true
    }
  }).length
}
