// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { findRules, ofComponent, type AuthoredRule } from '../../src/guidance/authoring/rules/reader.ts'
import { pick, recordOf } from '../../src/platform/records.ts'
import { ELEMENT_FIELDS, TAGGED_FIELDS, DISCUSSION_TEXTS, namesOf } from '../../src/tables/field-lists.ts'
import { FIELDS } from '../../src/tables/fields.ts'
import { makeComponent } from '../support/authoring.ts'
import { guidanceService } from '../support/guidance.ts'

const service = guidanceService()

/** Made from a requirement in which each tag of the description, and each further element, holds the name of its field. */
let rule: AuthoredRule

beforeAll(async () => {
  const guidance = service()
  const ann = await guidance.signUp('Ann')
  const projectId = await guidance.project(ann)
  const tags = TAGGED_FIELDS.filter(({ kind }) => kind === 'text').map(
    ({
      name,
      xccdf: {
        names: [tag],
      },
    }) => `<${tag}>${name}</${tag}>`,
  )
  const elements = ELEMENT_FIELDS.map(({ name, xccdf }) => [xccdf.names[0], name] as const)
  const discussion = `</VulnDiscussion>${tags.join('')}<VulnDiscussion>`
  const { id } = await makeComponent(guidance, ann, {
    projectId,
    rules: [{ id: 'SV-1', discussion, elements: Object.fromEntries(elements) }],
  })
  const [madeRule] = await findRules(guidance.service.guidance.database.read, ofComponent(id))
  if (madeRule === undefined) throw new Error('There is no rule')
  rule = madeRule
})

/** Columns that the program writes by itself, and fields of a rule that are no columns of it. */
const OTHERS = [
  'id',
  'component_id',
  'number',
  'srg_rule_id',
  'source_rule_id',
  'minted_id',
  'vuln_id',
  'legacy_ids',
  'locked',
  'locked_fields',
  'review_requestor_id',
  'changes_requested',
  'lock_version',
  'advice_off',
  'deleted_at',
  'created_at',
  'updated_at',
  'prefix',
  'document_type',
  'checks',
  'descriptions',
  'answers',
  'satisfies',
  'satisfiedBy',
  'comments',
]

describe('The table of the fields', () => {
  it('has every column of a rule that authors write', () => {
    expect(
      Object.keys(rule)
        .filter((key) => !OTHERS.includes(key))
        .toSorted(),
    ).toEqual(namesOf(FIELDS).toSorted())
  })

  it('copies each text of XCCDF from an SRG into a rule', () => {
    expect(pick(rule, DISCUSSION_TEXTS)).toEqual(recordOf(DISCUSSION_TEXTS, (name) => name))
  })
})
