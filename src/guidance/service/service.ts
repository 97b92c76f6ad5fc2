import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Endpoint } from '../../http/endpoint.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { GuidanceSettings, Secrets } from '../../platform/settings/guidance-settings.ts'
import { probeFolder, StorageWatch } from '../../platform/storage-watch.ts'
import { auditEndpoint } from '../activity/audits/endpoint.ts'
import { eventsEndpoint } from '../activity/events/endpoint.ts'
import { EventStreams } from '../activity/events/streams.ts'
import { webhookEndpoints } from '../activity/webhooks/endpoints.ts'
import { WebhookSender } from '../activity/webhooks/sender.ts'
import { accessRequestEndpoints } from '../authoring/access-requests/endpoints.ts'
import { componentEndpoints } from '../authoring/component-editing/endpoints.ts'
import { figureEndpoints } from '../authoring/figures/endpoints.ts'
import { membershipEndpoints } from '../authoring/memberships/endpoints.ts'
import { userSearchEndpoint } from '../authoring/people/search-endpoint.ts'
import { projectEndpoints } from '../authoring/projects/endpoints.ts'
import { readinessEndpoint } from '../authoring/readiness/endpoints.ts'
import { relocationEndpoints } from '../authoring/relocations/endpoints.ts'
import { responseTemplateEndpoints } from '../authoring/response-templates/endpoints.ts'
import { reviewEndpoints } from '../authoring/reviews/endpoints.ts'
import { ruleEndpoints } from '../authoring/rule-bulk/endpoints.ts'
import { ABBREVIATIONS } from '../catalogue/abbreviations/abbreviations.ts'
import { aliasEndpoints } from '../catalogue/abbreviations/alias-endpoints.ts'
import { benchmarkDiffEndpoints } from '../catalogue/benchmark-diff/endpoints.ts'
import { benchmarkEndpoints } from '../catalogue/benchmarks/endpoints.ts'
import { catalogueListEndpoints } from '../catalogue/benchmarks/list-endpoints.ts'
import { importEndpoints } from '../catalogue/imports/endpoints.ts'
import { Importer } from '../catalogue/imports/importer.ts'
import { linkedDataEndpoints } from '../catalogue/linked-data/endpoints.ts'
import { CatalogueGraph, catalogueSource } from '../catalogue/linked-data/graph/catalogue-graph.ts'
import type { OntologySource } from '../catalogue/linked-data/graph/ontology-source.ts'
import { openDatabase, whereIs } from '../database/database.ts'
import { completeWords } from '../full-text/complete.ts'
import { guidanceDocuments } from '../full-text/documents.ts'
import { ownAccountEndpoints } from '../identity/accounts/own-endpoints.ts'
import { recoveryEndpoints } from '../identity/accounts/recovery-endpoints.ts'
import { registrationEndpoints } from '../identity/accounts/registration-endpoints.ts'
import { userAdministrationEndpoints } from '../identity/administration/admin-endpoints.ts'
import { wayInEndpoints } from '../identity/administration/way-in-endpoints.ts'
import { consentEndpoint } from '../identity/consent/endpoint.ts'
import { OidcProvider } from '../identity/identity-providers/oidc.ts'
import { Mailer } from '../identity/mail/mailer.ts'
import { sessionEndpoints } from '../identity/sessions/endpoints.ts'
import { accountEndpoints } from '../identity/sign-in/endpoints.ts'
import { externalEndpoints } from '../identity/sign-in/external-endpoints.ts'
import { linkIdentityEndpoint } from '../identity/sign-in/link-endpoint.ts'
import { LocalSignIn } from '../identity/sign-in/sign-in.ts'
import { tokenEndpoints } from '../identity/tokens/endpoints.ts'
import { instanceEndpoints } from '../instance/endpoints.ts'
import { prepareFirstAdmin, setupEndpoint, type FirstSteps } from '../instance/setup.ts'
import { archiveEndpoints } from '../interchange/archives/endpoints.ts'
import { exportEndpoints } from '../interchange/exports/endpoints.ts'
import { spreadsheetEndpoints } from '../interchange/spreadsheets/endpoints.ts'
import { keyFile, openKeys } from '../parts/keys.ts'
import { createLimits } from '../parts/limits.ts'
import { noticeLostKey, warnOfReaders } from '../parts/lost-key.ts'
import type { Parts } from '../parts/parts.ts'
import { globalSearchEndpoint } from '../search/global-endpoints.ts'
import { legacySearchEndpoints } from '../search/legacy-endpoints.ts'
import { relatedEndpoint } from '../search/related-endpoint.ts'
import type { RelatedSearch } from '../search/related-shape.ts'
import { unifiedSearchEndpoints } from '../search/unified-endpoints.ts'
import type { SearchSources, UnifiedSearch } from '../search/unified-search.ts'
import { startHousekeeping, type Housekeeping } from './housekeeping.ts'
import { operatorOf, type Operator } from './operator.ts'

/** A whole library of DISA is about 400 MB. What may come out of it is limited where it is read. */
const MAX_UPLOAD = 500 * 1024 * 1024

interface Options {
  readonly settings: GuidanceSettings
  readonly secrets: Secrets
  readonly dataDir: string
  readonly baseUrl: string
  readonly version: string
  readonly frameworkVersion: string
  readonly log: Log
  /** Whether an empty database may be made where there was one. */
  readonly isNew?: boolean
  /** What the guidance service wants to know of the ontology; null where there is none. */
  readonly ontology: (OntologySource & { readonly related: RelatedSearch }) | null
  /** Makes the search across both services of what guidance has. */
  readonly search: (sources: SearchSources) => UnifiedSearch
}

/** The guidance service: its database, what it talks to, and its endpoints. */
export interface GuidanceService extends Parts {
  /** Whether the service is reached over https. */
  readonly secure: boolean
  /** Name of the session cookie. */
  readonly cookie: string
  readonly endpoints: readonly Endpoint[]
  /** Null when there is a site administrator. */
  readonly firstSteps: FirstSteps | null
  /** Where files that are sent are kept meanwhile, and how large they may be. */
  readonly uploads: { readonly folder: string; readonly maxBytes: number }
  /** Resolves when the database answers and can be written; else the refusal that says what is wrong. */
  checkReady(): Promise<void>
  /** Fills the graph of the catalogue, so that nobody has to wait for it; never rejects. */
  fillGraph(): Promise<void>
  /** Reads the ontology for the search; never rejects. */
  prepareSearch(): Promise<void>
  /** Ends the streams of events: whoever follows them turns to another process. */
  drain(): void
  close(): Promise<void>
}

/** Opens the database, brings it up to date, and prepares the first administrator if there is none. */
export async function openGuidance(options: Options): Promise<GuidanceService> {
  const parts = await openParts(options)
  const background = openBackground(parts, options)
  const search = options.search({
    guidance: guidanceDocuments(parts),
    abbreviations: ABBREVIATIONS,
  })
  try {
    const firstSteps = await prepareFirstAdmin(parts, options.secrets.admin)
    await background.start()
    const secure = options.baseUrl.startsWith('https:')
    return {
      ...parts,
      secure,
      // The prefix makes browsers keep the cookie to this host and to https.
      cookie: secure ? '__Host-parapet' : 'parapet',
      endpoints: listEndpoints(parts, {
        ...background,
        search,
        related: options.ontology?.related ?? null,
      }),
      uploads: background.uploads,
      firstSteps,
      checkReady: () => checkReady(parts, options.dataDir),
      fillGraph: background.fillGraph,
      prepareSearch: () => prepareSearch(parts, search),
      drain: () => {
        background.streams.drain()
      },
      close: background.close,
    }
  } catch (error) {
    await background.close()
    throw error
  }
}

async function prepareSearch({ log }: Parts, search: UnifiedSearch): Promise<void> {
  try {
    await search.prepare()
  } catch (error) {
    log.error({ err: error }, 'The search cannot read the ontology')
  }
}

async function checkReady({ database, storage, log }: Parts, dataDir: string): Promise<void> {
  try {
    await database.read.selectFrom('users').select('id').limit(1).execute()
  } catch (error) {
    log.warn({ err: error }, 'The database does not answer')
    throw new Refusal('database_unavailable', 'The database does not answer.')
  }
  await storage.check([() => probeFolder(dataDir), () => database.probe()])
}

/** What goes on beside the requests. */
interface Background {
  readonly importer: Importer
  readonly graph: CatalogueGraph
  readonly streams: EventStreams
  readonly uploads: GuidanceService['uploads']
  readonly fillGraph: () => Promise<void>
  readonly start: () => Promise<void>
  /** Ends it, and what it works with. */
  readonly close: () => Promise<void>
}

function openBackground(parts: Parts, { dataDir, ontology }: Options): Background {
  const graph = new CatalogueGraph({ ...parts, ontology, source: catalogueSource(parts.database) })
  let closing = false
  const fillGraph = async (): Promise<void> => {
    try {
      await graph.sync()
    } catch (error) {
      if (!closing) parts.log.error({ err: error }, 'The graph of the catalogue cannot be filled')
    }
  }
  const importer = new Importer({ ...parts, dataDir, whenOver: () => void fillGraph() })
  const uploads = { folder: join(dataDir, 'uploads'), maxBytes: MAX_UPLOAD }
  const { session, consent } = parts.settings
  const streams = new EventStreams({ ...parts, idleMs: session.idleMs, consent })
  const sender = new WebhookSender(parts)
  let housekeeping: Housekeeping | null = null
  return {
    ...{ importer, graph, streams, uploads, fillGraph },
    start: async () => {
      housekeeping = startHousekeeping(parts)
      // What was still coming in when the last run ended was never acknowledged.
      await rm(uploads.folder, { recursive: true, force: true })
      await mkdir(uploads.folder, { recursive: true, mode: 0o700 })
      await completeWords(parts.database)
      await importer.start()
      sender.start()
    },
    close: async () => {
      closing = true
      await streams.close()
      await sender.close()
      await importer.close()
      await graph.close()
      await housekeeping?.stop()
      await parts.mailer?.close()
      await parts.database.close()
    },
  }
}

type Opening = Omit<Options, 'ontology' | 'search'>
type Shared = Omit<Opening, 'version' | 'frameworkVersion'>

/** Opens the database for one command of the operator; a service may be running on it. */
export async function withOperator<T>(
  options: Shared,
  work: (operator: Operator) => Promise<T>,
): Promise<T> {
  const parts = await openParts({ ...options, version: '', frameworkVersion: '' })
  try {
    return await work(operatorOf(parts))
  } finally {
    await parts.mailer?.close()
    await parts.database.close()
  }
}

async function openParts(opening: Opening): Promise<Parts> {
  const { settings, secrets, log, baseUrl, version, frameworkVersion } = opening
  const { oidc, ldap, smtp } = settings
  const redirectUri = `${baseUrl}/users/auth/oidc/callback`
  const { oidcClientSecret: clientSecret, ldapBindPassword: bindPassword, smtpUrl } = secrets
  return {
    ...{ settings, log, baseUrl, version, frameworkVersion },
    ...(await openKept(opening)),
    limits: createLimits(settings.rateLimit),
    mailer:
      smtp === null || smtpUrl === null ? null : new Mailer({ smtpUrl, from: smtp.from, log }),
    oidc: oidc === null ? null : new OidcProvider({ settings: oidc, clientSecret, redirectUri }),
    ldap: ldap === null ? null : { settings: ldap, bindPassword },
  }
}

/** The key comes after the database, so that one without the other can be told from a first start. */
async function openKept({
  secrets: { secretKey, databaseUrl: url },
  dataDir,
  log,
  isNew = false,
}: Opening): Promise<Pick<Parts, 'database' | 'storage' | 'keys' | 'lostKey'>> {
  const storage = new StorageWatch(log)
  const database = await openDatabase({ url, dataDir, log, storage, isNew })
  try {
    const lostKey = await noticeLostKey({ database, secretKey, dataDir, log })
    const keys = openKeys(secretKey, dataDir)
    const where = whereIs(url, dataDir)
    const written = 'file' in where ? [where.file, `${where.file}-wal`] : []
    warnOfReaders([...(secretKey === null ? [keyFile(dataDir)] : []), ...written], log)
    return { database, storage, keys, lostKey }
  } catch (error) {
    await database.close()
    throw error
  }
}

interface Linked {
  readonly related: RelatedSearch | null
  readonly search: UnifiedSearch
}

function listEndpoints(parts: Parts, background: Background & Linked): readonly Endpoint[] {
  return [
    ...listAccounts(parts),
    ...projectEndpoints(parts),
    ...componentEndpoints(parts),
    ...membershipEndpoints(parts),
    ...accessRequestEndpoints(parts),
    ...listCatalogue(parts, background),
    ...ruleEndpoints(parts),
    ...relocationEndpoints(parts),
    ...reviewEndpoints(parts),
    ...responseTemplateEndpoints(parts),
    ...figureEndpoints(parts),
    readinessEndpoint(parts),
    ...spreadsheetEndpoints(parts),
    ...archiveEndpoints(parts),
    ...exportEndpoints(parts),
    globalSearchEndpoint(parts),
    ...legacySearchEndpoints(parts),
    relatedEndpoint({ ...parts, ...background }),
    ...unifiedSearchEndpoints({ ...parts, search: background.search }),
    eventsEndpoint({ ...parts, streams: background.streams }),
    ...webhookEndpoints(parts),
    auditEndpoint(parts),
  ]
}

/** The way in, and who is who. */
function listAccounts(parts: Parts): readonly Endpoint[] {
  const { database, settings, mailer, log } = parts
  const mustConfirm = mailer !== null
  const local = new LocalSignIn({ database, lockout: settings.lockout, mustConfirm, log })
  return [
    ...accountEndpoints(parts, local),
    ...externalEndpoints(parts),
    ...registrationEndpoints(parts),
    ...recoveryEndpoints(parts),
    ...ownAccountEndpoints(parts, local),
    linkIdentityEndpoint(parts, local),
    ...sessionEndpoints(parts),
    ...tokenEndpoints(parts, local),
    ...instanceEndpoints(parts),
    consentEndpoint(parts),
    setupEndpoint(parts),
    ...userAdministrationEndpoints(parts, local),
    ...wayInEndpoints(parts, local),
    userSearchEndpoint(parts),
  ]
}

function listCatalogue(parts: Parts, { importer, graph }: Background): readonly Endpoint[] {
  return [
    ...catalogueListEndpoints(parts),
    ...benchmarkEndpoints(parts),
    ...benchmarkDiffEndpoints(parts),
    ...aliasEndpoints(parts),
    ...importEndpoints({ ...parts, importer }),
    ...linkedDataEndpoints({ ...parts, graph }),
  ]
}
