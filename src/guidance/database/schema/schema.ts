import type { AuditsTable } from './audits.ts'
import type {
  BenchmarkAliasesTable,
  BenchmarkChecksTable,
  BenchmarkFilesTable,
  BenchmarkFixesTable,
  BenchmarkIdentsTable,
  BenchmarkReferencesTable,
  BenchmarkRulesTable,
  BenchmarksTable,
  ReferenceControlsTable,
  ReferenceItemsTable,
  ReferenceSourcesTable,
} from './benchmarks.ts'
import type {
  AdditionalQuestionsTable,
  ComponentMembershipsTable,
  ComponentSrgsTable,
  ComponentsTable,
  MilestonePartsTable,
  MilestonesTable,
} from './components.ts'
import type { ConsentsTable } from './consents.ts'
import type { EventsTable, PresencesTable, WebhookDeliveriesTable, WebhooksTable } from './events.ts'
import type { ImportsTable, MergeFieldsTable, MergesTable } from './imports.ts'
import type { OneTimeLinksTable } from './links.ts'
import type { MembershipsTable, ProjectAccessRequestsTable } from './memberships.ts'
import type { ProjectsTable } from './projects.ts'
import type { RelocationDestinationsTable, RequirementRelocationsTable } from './relocations.ts'
import type { ReactionsTable, ReviewsTable, TriageResponseTemplatesTable } from './reviews.ts'
import type {
  AdditionalAnswersTable,
  AttachmentPartsTable,
  AttachmentsTable,
  RuleChecksTable,
  RuleDescriptionsTable,
  RuleSatisfactionsTable,
  RulesTable,
} from './rules.ts'
import type { SearchChangesTable } from './search-changes.ts'
import type { SessionsTable } from './sessions.ts'
import type { PersonalAccessTokensTable } from './tokens.ts'
import type { FoundUsersTable, IdentitiesTable, RecoveryCodesTable, SecondFactorsTable, UsersTable } from './users.ts'

/** The tables, the same in both databases. Times are ISO 8601 strings in UTC with milliseconds. */
export interface Schema {
  users: UsersTable
  identities: IdentitiesTable
  found_users: FoundUsersTable
  sessions: SessionsTable
  second_factors: SecondFactorsTable
  recovery_codes: RecoveryCodesTable
  personal_access_tokens: PersonalAccessTokensTable
  one_time_links: OneTimeLinksTable
  consents: ConsentsTable
  projects: ProjectsTable
  memberships: MembershipsTable
  project_access_requests: ProjectAccessRequestsTable
  audits: AuditsTable
  benchmarks: BenchmarksTable
  benchmark_files: BenchmarkFilesTable
  benchmark_rules: BenchmarkRulesTable
  benchmark_checks: BenchmarkChecksTable
  benchmark_fixes: BenchmarkFixesTable
  benchmark_idents: BenchmarkIdentsTable
  benchmark_references: BenchmarkReferencesTable
  benchmark_aliases: BenchmarkAliasesTable
  imports: ImportsTable
  reference_sources: ReferenceSourcesTable
  reference_items: ReferenceItemsTable
  reference_controls: ReferenceControlsTable
  components: ComponentsTable
  component_srgs: ComponentSrgsTable
  component_memberships: ComponentMembershipsTable
  additional_questions: AdditionalQuestionsTable
  milestones: MilestonesTable
  milestone_parts: MilestonePartsTable
  rules: RulesTable
  rule_checks: RuleChecksTable
  rule_descriptions: RuleDescriptionsTable
  additional_answers: AdditionalAnswersTable
  rule_satisfactions: RuleSatisfactionsTable
  attachments: AttachmentsTable
  attachment_parts: AttachmentPartsTable
  reviews: ReviewsTable
  reactions: ReactionsTable
  triage_response_templates: TriageResponseTemplatesTable
  requirement_relocations: RequirementRelocationsTable
  relocation_destinations: RelocationDestinationsTable
  events: EventsTable
  presences: PresencesTable
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
  search_changes: SearchChangesTable
  merges: MergesTable
  merge_fields: MergeFieldsTable
}
