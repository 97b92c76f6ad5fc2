import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { pick, recordOf } from '../../../platform/records.ts'
import { CHECK_COLUMNS, DISCUSSION_FLAGS, DISCUSSION_TEXTS } from '../../../tables/field-lists.ts'
import { LEGACY } from '../../catalogue/benchmarks/shape.ts'
import { flagOf } from '../../database/flags.ts'
import type { Writer } from '../../database/transaction.ts'
import type { ComponentGrant } from '../access/component-access.ts'
import { inspecControl } from '../rules/inspec.ts'
import { findRules, type RuleAnswer } from '../rules/reader.ts'
import type { NewRule } from './changes.ts'
import { BLANK_CONTENT, contentOf, mergeContent, type RuleContent } from './content.ts'
import type { Check, Description } from './parts.ts'

export const NOT_CREATED = 'Could not create rule.'

/** The CCI of the requirement that blank STIG rules are made from. */
const CATCH_ALL = 'CCI-000366'

/** The content of a new rule before the changes of the request. */
export interface Draft {
  readonly content: RuleContent
  /** The generated InSpec file of the source. If the request has the same file, nobody has written it. */
  readonly generated: string | null
  readonly srg_rule_id: number | null
  readonly vuln_id: string | null
  readonly legacy_ids: string | null
  readonly checks: readonly Check[]
  readonly descriptions: readonly Description[]
  readonly answers: readonly RuleAnswer[]
}

/** The draft is a copy of a rule, a blank STIG rule, or empty. */
export async function draftOf(
  writer: Writer,
  { componentId, documentType }: Pick<ComponentGrant, 'componentId' | 'documentType'>,
  request: NewRule,
): Promise<Draft> {
  if (request.duplicate === true) return copyOf(writer, componentId, request.id ?? 0)
  if (documentType === 'stig') return seed(writer, componentId)
  return { ...EMPTY_DRAFT, content: BLANK_CONTENT }
}

const EMPTY_DRAFT = {
  srg_rule_id: null,
  vuln_id: null,
  legacy_ids: null,
  generated: null,
  checks: [],
  descriptions: [],
  answers: [],
}

async function copyOf(writer: Writer, componentId: number, id: number): Promise<Draft> {
  const [source] = await findRules(writer, (is) =>
    is.and([is('rules.id', '=', id), is('rules.component_id', '=', componentId)]),
  )
  if (source === undefined) throw notFound()
  const { srg_rule_id, vuln_id, legacy_ids, answers } = source
  return {
    srg_rule_id,
    vuln_id,
    legacy_ids,
    answers,
    content: contentOf(source),
    generated: source.inspec_control_file === null ? inspecControl(source) : null,
    checks: source.checks.map((check) => pick(check, CHECK_COLUMNS)),
    descriptions: source.descriptions.map(({ description }) => ({ description })),
  }
}

async function seed(writer: Writer, componentId: number): Promise<Draft> {
  const source = await writer
    .selectFrom('benchmark_rules as rule')
    .innerJoin('component_srgs', 'component_srgs.benchmark_id', 'rule.benchmark_id')
    .innerJoin('benchmark_idents', 'benchmark_idents.rule_id', 'rule.id')
    .selectAll('rule')
    .where('component_srgs.component_id', '=', componentId)
    .where('benchmark_idents.value', '=', CATCH_ALL)
    .orderBy('component_srgs.position')
    .orderBy('rule.position')
    .limit(1)
    .executeTakeFirst()
  if (source === undefined)
    throw refuseValues(NOT_CREATED, [
      { field: null, message: `No SRG of the component has a requirement with ${CATCH_ALL}` },
    ])
  const { id, group_id: vuln_id, severity, weight, title, version } = source
  const content = mergeContent(BLANK_CONTENT, {
    title,
    version,
    rule_severity: severity,
    rule_weight: weight,
    ...pick(source, DISCUSSION_TEXTS),
    ...recordOf(DISCUSSION_FLAGS, (name) => flagOf(source[name])),
    ...(await fixOf(writer, id)),
  })
  const { legacy_ids, ...idents } = await identsOf(writer, id)
  const checks = await writer
    .selectFrom('benchmark_checks')
    .select(CHECK_COLUMNS)
    .where('rule_id', '=', id)
    .orderBy('id')
    .execute()
  return {
    ...EMPTY_DRAFT,
    srg_rule_id: id,
    vuln_id,
    legacy_ids,
    checks,
    content: mergeContent(content, idents),
  }
}

async function fixOf(
  writer: Writer,
  ruleId: number,
): Promise<Pick<RuleContent, 'fixtext' | 'fixtext_fixref' | 'fix_id'>> {
  const fix = await writer
    .selectFrom('benchmark_fixes')
    .select(['text', 'fixref', 'fix_id'])
    .where('rule_id', '=', ruleId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const { text: fixtext = null, fixref: fixtext_fixref = null, fix_id = null } = fix ?? {}
  return { fixtext, fixtext_fixref, fix_id }
}

async function identsOf(
  writer: Writer,
  ruleId: number,
): Promise<Record<'ident' | 'ident_system' | 'legacy_ids', string | null>> {
  const idents = await writer
    .selectFrom('benchmark_idents')
    .select(['system', 'value'])
    .where('rule_id', '=', ruleId)
    .orderBy('id')
    .execute()
  const ccis = idents.filter(({ system }) => system !== LEGACY)
  const legacy = idents.filter(({ system }) => system === LEGACY)
  return {
    ident: joinIdents(ccis),
    ident_system: ccis[0]?.system ?? null,
    legacy_ids: joinIdents(legacy),
  }
}

function joinIdents(idents: readonly { readonly value: string }[]): string | null {
  return idents.length === 0 ? null : idents.map(({ value }) => value).join(', ')
}
