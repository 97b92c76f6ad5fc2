import type { Log } from '../../platform/log.ts'
import type { GuidanceSettings, Secrets } from '../../platform/settings/guidance-settings.ts'
import { StorageWatch } from '../../platform/storage-watch.ts'
import { openDatabase, whereIs } from '../database/database.ts'
import type { OidcProvider } from '../identity/identity-providers/oidc.ts'
import type { Mailer } from '../identity/mail/mailer.ts'
import type { IdentityParts } from '../identity/parts.ts'
import { keyFile, openKeys } from '../parts/keys.ts'
import { noticeLostKey, warnOfReaders } from '../parts/lost-key.ts'
import { openCounters, type Counters } from './counters.ts'
import { noticeUnreadableSecrets } from './unreadable-secrets.ts'

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
  /** Called before a database that has been used is brought up to date. */
  readonly beforeUpgrade?: () => Promise<void>
  /** Whether a database that does not answer is asked again, as long as the settings say. */
  readonly mayWait?: boolean
}

/** Opens the parts that the service and the operator share, and brings the database up to date. */
export async function openParts(opening: PartOptions): Promise<IdentityParts> {
  const { settings, secrets, log, baseUrl, version, commit = null, frameworkVersion } = opening
  const { ldap } = settings
  const { ldapBindPassword: bindPassword } = secrets
  return {
    settings,
    log,
    baseUrl,
    version,
    commit,
    frameworkVersion,
    ...(await openDatabaseAndKey(opening)),
    ...(opening.counters ?? openCounters(settings)),
    mailer: await createMailer(opening),
    oidc: await createOidc(opening),
    ldap: ldap === null ? null : { settings: ldap, bindPassword },
  }
}

/** Its library is loaded where mail is sent, and that of single sign-on where it is set up. */
async function createMailer({ settings, secrets, log }: PartOptions): Promise<Mailer | null> {
  const { smtp } = settings
  const { smtpUrl } = secrets
  if (smtp === null || smtpUrl === null) return null
  const { Mailer } = await import('../identity/mail/mailer.ts')
  return new Mailer({ smtpUrl, from: smtp.from, log })
}

async function createOidc(opening: PartOptions): Promise<OidcProvider | null> {
  const { settings, secrets, baseUrl } = opening
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
  const waitMs = mayWait ? databaseWaitMs : 0
  const how = { isNew, slowMs, waitMs, beforeUpgrade }
  const database = await openDatabase({ url, dataDir, log, storage, ...how })
  try {
    const lostKey = await noticeLostKey({ database, secretKey, dataDir, log })
    const keys = openKeys(secretKey, dataDir)
    const unreadable = lostKey ?? (await noticeUnreadableSecrets(database.read, keys, log))
    const where = whereIs(url, dataDir)
    const written = 'file' in where ? [where.file, `${where.file}-wal`] : []
    warnOfReaders([...(secretKey === null ? [keyFile(dataDir)] : []), ...written], log)
    return { database, storage, keys, lostKey: unreadable }
  } catch (error) {
    await database.close()
    throw error
  }
}
