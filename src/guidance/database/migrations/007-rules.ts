import type { Kysely } from 'kysely'
import type { Columns } from './columns.ts'
import { flags, index, oneOf, references, requiredTexts, texts } from './tables.ts'

type Database = Kysely<unknown>

const STATUSES = [
  'Not Yet Determined',
  'Applicable - Configurable',
  'Applicable - Inherently Meets',
  'Applicable - Does Not Meet',
  'Applicable',
  'Not Applicable',
]

export async function rules(db: Database, columns: Columns): Promise<void> {
  await ruleTable(db, columns)
  await checks(db, columns)
  await descriptions(db, columns)
  await answers(db, columns)
  await satisfactions(db, columns)
}

async function ruleTable(db: Database, columns: Columns): Promise<void> {
  const { id, timestamp, finish } = columns
  const table = db.schema
    .createTable('rules')
    .addColumn('id', 'integer', id)
    .addColumn('number', 'integer', (is) => is.notNull())
    .addColumn('status', 'text', (is) => is.notNull().check(oneOf('status', STATUSES)))
    .addColumn('rule_severity', 'text', (is) =>
      is.notNull().check(oneOf('rule_severity', ['high', 'medium', 'low', 'unknown', 'info'])),
    )
    .addColumn('documentable', 'integer')
    .addColumn('mitigations_available', 'integer')
    .addColumn('poam_available', 'integer')
    .addColumn('deleted_at', timestamp)
    .addColumn('created_at', timestamp, (is) => is.notNull())
    .addColumn('updated_at', timestamp, (is) => is.notNull())
  const owned = references(table, {
    component_id: { to: 'components', onDelete: 'cascade' },
    srg_rule_id: { to: 'benchmark_rules', onDelete: 'set null' },
    review_requestor_id: { to: 'users', onDelete: 'set null' },
  }).addUniqueConstraint('rules_component_number', ['component_id', 'number'])
  const required = requiredTexts(owned, ['title', 'rule_weight', 'locked_fields'])
  const described = texts(required, [
    'version',
    'minted_id',
    'vuln_id',
    'legacy_ids',
    'ident',
    'ident_system',
    'fixtext',
    'fixtext_fixref',
    'fix_id',
    'status_justification',
    'artifact_description',
    'vendor_comments',
    'vuln_discussion',
    'false_positives',
    'false_negatives',
    'mitigations',
    'poam',
    'severity_override_guidance',
    'potential_impacts',
    'third_party_tools',
    'mitigation_control',
    'responsibility',
    'ia_controls',
    'inspec_control_body',
    'inspec_control_body_lang',
    'inspec_control_file',
    'inspec_control_file_lang',
  ])
  await finish(flags(described, ['locked', 'changes_requested', 'lock_version'])).execute()
  await index(db, 'rules', 'srg_rule_id')
  await index(db, 'rules', 'version')
}

async function checks(db: Database, { id, finish }: Columns): Promise<void> {
  const table = references(db.schema.createTable('rule_checks').addColumn('id', 'integer', id), {
    rule_id: { to: 'rules', onDelete: 'cascade' },
  })
  const names = ['system', 'content_ref_name', 'content_ref_href', 'content']
  await finish(texts(table, names)).execute()
  await index(db, 'rule_checks', 'rule_id')
}

async function descriptions(db: Database, { id, finish }: Columns): Promise<void> {
  const numbered = db.schema.createTable('rule_descriptions').addColumn('id', 'integer', id)
  const table = references(numbered, { rule_id: { to: 'rules', onDelete: 'cascade' } })
  await finish(texts(table, ['description'])).execute()
  await index(db, 'rule_descriptions', 'rule_id')
}

async function answers(db: Database, { id, finish }: Columns): Promise<void> {
  const numbered = db.schema.createTable('additional_answers').addColumn('id', 'integer', id)
  const table = references(numbered, {
    rule_id: { to: 'rules', onDelete: 'cascade' },
    additional_question_id: { to: 'additional_questions', onDelete: 'cascade' },
  }).addUniqueConstraint('additional_answers_rule_question', ['rule_id', 'additional_question_id'])
  await finish(texts(table, ['answer'])).execute()
  await index(db, 'additional_answers', 'additional_question_id')
}

/** Stores the status before the link, which is restored when the link is removed. */
async function satisfactions(db: Database, { timestamp, finish }: Columns): Promise<void> {
  const table = references(db.schema.createTable('rule_satisfactions'), {
    rule_id: { to: 'rules', onDelete: 'cascade' },
    satisfied_by_rule_id: { to: 'rules', onDelete: 'cascade' },
  })
    .addColumn('created_at', timestamp, (is) => is.notNull())
    .addPrimaryKeyConstraint('rule_satisfactions_key', ['rule_id', 'satisfied_by_rule_id'])
  await finish(texts(table, ['previous_status'])).execute()
  await index(db, 'rule_satisfactions', 'satisfied_by_rule_id')
}
