import type { OntologyLookup } from '../../contracts/lookup.ts'
import type { RelatedSearch } from '../../contracts/related.ts'
import type { ReleaseAdministration } from '../../contracts/releases.ts'
import type { Search } from '../../contracts/search.ts'
import type { Caller } from '../../http/caller.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { auditEndpoint } from '../activity/audits/endpoint.ts'
import { eventsEndpoint } from '../activity/events/endpoint.ts'
import type { EventStreams } from '../activity/events/streams.ts'
import { webhookEndpoints } from '../activity/webhooks/endpoints.ts'
import { accessRequestEndpoints } from '../authoring/access-requests/endpoints.ts'
import { draftEndpoint } from '../authoring/advice/draft.ts'
import { adviceEndpoints } from '../authoring/advice/endpoints.ts'
import { attachmentEndpoints } from '../authoring/attachments/endpoints.ts'
import { componentEndpoints } from '../authoring/component-editing/endpoints.ts'
import { figureEndpoints } from '../authoring/figures/endpoints.ts'
import { homeEndpoint } from '../authoring/home/endpoint.ts'
import { membershipEndpoints } from '../authoring/memberships/endpoints.ts'
import { userSearchEndpoint } from '../authoring/people/search-endpoint.ts'
import { presenceEndpoints } from '../authoring/presence/endpoints.ts'
import { projectEndpoints } from '../authoring/projects/endpoints.ts'
import { readinessEndpoint } from '../authoring/readiness/endpoints.ts'
import { relocationEndpoints } from '../authoring/relocations/endpoints.ts'
import { responseTemplateEndpoints } from '../authoring/response-templates/endpoints.ts'
import { reviewEndpoints } from '../authoring/reviews/endpoints.ts'
import { ruleEndpoints } from '../authoring/rule-endpoints/endpoints.ts'
import { aliasEndpoints } from '../catalogue/abbreviations/alias-endpoints.ts'
import { benchmarkDiffEndpoints } from '../catalogue/benchmark-diff/endpoints.ts'
import { benchmarkEndpoints } from '../catalogue/benchmarks/endpoints.ts'
import { catalogueListEndpoints } from '../catalogue/benchmarks/list-endpoints.ts'
import { requirementEndpoints } from '../catalogue/benchmarks/requirement-endpoint.ts'
import { importEndpoints } from '../catalogue/imports/endpoints.ts'
import type { Importer } from '../catalogue/imports/importer.ts'
import type { AttackOntology } from '../catalogue/linked-data/attacks/attack-guidance.ts'
import type { OntologyLinks } from '../catalogue/linked-data/countermeasures/ontology-links.ts'
import { linkedDataEndpoints } from '../catalogue/linked-data/endpoints.ts'
import type { CatalogueGraph } from '../catalogue/linked-data/graph/catalogue-graph.ts'
import { openCatalogueEndpoints } from '../catalogue/open/endpoints.ts'
import { membersOnly } from '../catalogue/open/members-only.ts'
import { attackEndpoints } from '../catalogue/reference-data/attack/endpoints.ts'
import { cciEndpoints } from '../catalogue/reference-data/ccis/endpoints.ts'
import { controlEndpoints } from '../catalogue/reference-data/controls/endpoints.ts'
import { cweEndpoints } from '../catalogue/reference-data/cwe/endpoints.ts'
import { mappingEndpoint } from '../catalogue/reference-data/oscal-mapping/endpoint.ts'
import { ownAccountEndpoints } from '../identity/accounts/own-endpoints.ts'
import { recoveryEndpoints } from '../identity/accounts/recovery-endpoints.ts'
import { registrationEndpoints } from '../identity/accounts/registration-endpoints.ts'
import { userAdministrationEndpoints } from '../identity/administration/admin-endpoints.ts'
import { credentialEndpoints } from '../identity/administration/credential-endpoints.ts'
import { consentEndpoint } from '../identity/consent/endpoint.ts'
import type { IdentityParts } from '../identity/parts.ts'
import { enrolEndpoints } from '../identity/second-factor/enrol-endpoints.ts'
import { ownFactorEndpoints } from '../identity/second-factor/own-endpoints.ts'
import { resetFactorEndpoint } from '../identity/second-factor/reset-endpoint.ts'
import { secondStepEndpoints } from '../identity/second-factor/sign-in-endpoints.ts'
import { sessionEndpoints } from '../identity/sessions/endpoints.ts'
import { accountEndpoints } from '../identity/sign-in/endpoints.ts'
import { externalEndpoints } from '../identity/sign-in/external-endpoints.ts'
import { linkIdentityEndpoint } from '../identity/sign-in/link-endpoint.ts'
import { LocalSignIn } from '../identity/sign-in/sign-in.ts'
import { tokenEndpoints } from '../identity/tokens/endpoints.ts'
import { instanceEndpoints } from '../instance/endpoints.ts'
import { ontologyReleaseEndpoints } from '../instance/release-endpoints.ts'
import { setupEndpoint } from '../instance/setup.ts'
import { archiveEndpoints } from '../interchange/archives/endpoints.ts'
import { exportEndpoints } from '../interchange/exports/endpoints.ts'
import { mergeEndpoints } from '../interchange/merges/endpoints.ts'
import { milestoneEndpoints } from '../interchange/milestones/endpoints.ts'
import { releaseEndpoint } from '../interchange/releases/release-endpoint.ts'
import { createFromSpreadsheet } from '../interchange/spreadsheets/creating/create.ts'
import { spreadsheetEndpoints } from '../interchange/spreadsheets/endpoints.ts'
import { batchEndpoints } from '../search/batch/batch-endpoints.ts'
import { globalSearchEndpoint } from '../search/global-endpoints.ts'
import { legacySearchEndpoints } from '../search/legacy-endpoints.ts'
import { relatedEndpoint } from '../search/related-endpoint.ts'

/** Some endpoints use these beside {@link IdentityParts}. */
interface BackgroundParts {
  readonly importer: Importer
  readonly graph: CatalogueGraph
  readonly links: OntologyLinks
  readonly streams: EventStreams
  readonly related: RelatedSearch | null
  readonly releases: ReleaseAdministration | null
  readonly lookup: OntologyLookup | null
  readonly attacks: AttackOntology | null
  readonly search: Search<Caller | null>
  /** Endpoints of the other services; the OpenAPI document lists them too. */
  readonly others: readonly Endpoint[]
}

/** All endpoints, for the routes and for the OpenAPI document. */
export function listEndpoints(parts: IdentityParts, background: BackgroundParts): readonly Endpoint[] {
  const catalogue = listCatalogue(parts, background)
  return [
    ...listAccounts(parts),
    ...projectEndpoints(parts),
    ...componentEndpoints(parts, (grant, upload) => createFromSpreadsheet(parts, grant, upload)),
    releaseEndpoint(parts),
    ...membershipEndpoints(parts),
    ...accessRequestEndpoints(parts),
    ...(parts.settings.cataloguePublic ? catalogue : catalogue.map(membersOnly)),
    ...ruleEndpoints(parts),
    ...attachmentEndpoints(parts),
    ...relocationEndpoints(parts),
    ...reviewEndpoints(parts),
    ...responseTemplateEndpoints(parts),
    ...figureEndpoints(parts),
    readinessEndpoint(parts),
    homeEndpoint(parts),
    ...adviceEndpoints(parts),
    ...spreadsheetEndpoints(parts),
    ...archiveEndpoints(parts),
    ...mergeEndpoints(parts),
    ...milestoneEndpoints(parts),
    ...exportEndpoints(parts),
    globalSearchEndpoint({ ...parts, search: background.search }),
    ...legacySearchEndpoints(parts),
    eventsEndpoint({ ...parts, streams: background.streams }),
    ...presenceEndpoints(parts),
    ...webhookEndpoints(parts),
    auditEndpoint(parts),
    ...ontologyReleaseEndpoints({ ...parts, releases: background.releases }),
  ]
}

/** Accounts, sign-in and user administration. */
function listAccounts(parts: IdentityParts): readonly Endpoint[] {
  const { lockout } = parts.settings
  const local = new LocalSignIn({ ...parts, lockout, mustConfirm: parts.mailer !== null })
  return [
    ...accountEndpoints(parts, local),
    ...secondStepEndpoints(parts),
    ...externalEndpoints(parts),
    ...registrationEndpoints(parts),
    ...recoveryEndpoints(parts),
    ...ownAccountEndpoints(parts, local),
    linkIdentityEndpoint(parts, local),
    ...sessionEndpoints(parts),
    ...ownFactorEndpoints(parts, local),
    ...enrolEndpoints(parts, local),
    ...tokenEndpoints(parts, local),
    ...instanceEndpoints(parts),
    consentEndpoint(parts),
    setupEndpoint(parts),
    ...userAdministrationEndpoints(parts, local),
    ...credentialEndpoints(parts, local),
    resetFactorEndpoint(parts, local),
    userSearchEndpoint(parts),
  ]
}

/** Endpoints that show content of the catalogue, and advice: closed to visitors unless the catalogue is public. */
function listCatalogue(parts: IdentityParts, background: BackgroundParts): readonly Endpoint[] {
  const { importer, graph, links } = background
  return [
    ...catalogueListEndpoints(parts),
    ...requirementEndpoints(parts),
    ...benchmarkEndpoints(parts),
    ...benchmarkDiffEndpoints(parts),
    ...aliasEndpoints(parts),
    ...importEndpoints({ ...parts, importer }),
    ...cciEndpoints({ ...parts, links }),
    ...attackEndpoints({ ...parts, ...background }),
    ...controlEndpoints({ ...parts, links }),
    ...cweEndpoints(parts),
    mappingEndpoint({ ...parts, links }),
    ...linkedDataEndpoints({ ...parts, graph, links }),
    ...openCatalogueEndpoints({ ...parts, links }),
    relatedEndpoint({ ...parts, ...background }),
    ...batchEndpoints({ ...parts, ...background }),
    draftEndpoint(),
    ...background.others,
  ]
}
