import { insertAttachment } from '../../../src/guidance/authoring/attachments/writer.ts'
import { type MadeComponent, makeComponent, satisfy, sharedSrg } from '../authoring.ts'
import { alter, setRows, addRow, rowOf } from '../guidance-records.ts'
import type { Sample, SampleRequest, Scene } from '../sample-requests.ts'

/** Successful requests of the operations on rules. */
export const RULE_SAMPLES: Readonly<Record<string, Sample>> = {
  listRules: onComponent,
  getRule: onRule,
  getNamedRule: async (scene) => ({ params: { id: (await component(scene)).id, name: 'TEAP-00-000001' } }),
  getRuleCcis: onRule,
  getRuleAdvice: onRule,
  turnAdviceOff: async (scene) => advised(await onRule(scene), { reason: 'As the vendor has it.' }),
  turnAdviceOn: async (scene) => advised(await onRule(scene)),
  'createRule blank': async (scene) => ({
    ...(await onComponent(scene)),
    body: { rule: { title: 'The kettle must be descaled.' } },
  }),
  'createRule duplicate': async (scene) => {
    const { id, rules } = await component(scene)
    return { params: { id }, body: { rule: { duplicate: true, id: rules[0] } } }
  },
  updateRule: async (scene) => {
    const { rules } = await component(scene)
    const rule = {
      title: 'The lid must be shut.',
      status: 'Applicable - Configurable',
      rule_severity: 'low',
      ident: 'CCI-000366',
      checks_attributes: [{ content: 'Look at the lid.' }],
      rule_descriptions_attributes: [{ description: 'About the lid.' }],
      disa_rule_descriptions_attributes: [{ id: rules[0], vuln_discussion: 'Tea gets cold.' }],
      additional_answers_attributes: [],
      audit_comment: 'Better words',
      lock_version: 0,
    }
    return { params: { id: rules[0] ?? 0 }, body: { rule } }
  },
  deleteRule: onRule,
  listAttachments: onRule,
  addAttachment: async (scene) => ({
    ...(await onRule(scene)),
    form: { file: 'The lid was shut.', fileName: 'lid.log' },
  }),
  getAttachment: onAttachment,
  deleteAttachment: onAttachment,
  revertRule: reverting,
  createRuleSatisfaction: async (scene) => {
    const { rules } = await component(scene)
    return { body: { rule_id: rules[0], satisfied_by_rule_id: rules[1] } }
  },
  satisfyRules: async (scene) => {
    const { id, rules } = await component(scene)
    return { params: { id }, body: { rule_ids: [rules[0]], satisfied_by_rule_id: rules[1] } }
  },
  deleteRuleSatisfaction: unlinking,
  findRelatedRules: onRule,
  pickRules: onComponent,
  getRuleForm: onComponent,
  lockRuleSection: async (scene) => ({
    ...(await onRule(scene)),
    body: { section: 'Title', locked: true, comment: 'Agreed' },
  }),
  lockRuleSections: async (scene) => ({
    ...(await onRule(scene)),
    body: { sections: ['Title', 'Fix'], locked: true, comment: 'Agreed' },
  }),
  lockComponentSections: async (scene) => ({
    ...(await onComponent(scene)),
    body: { sections: ['Title'], locked: true, comment: 'Agreed' },
  }),
  lockComponent: locking,
  findInRules: async (scene) => ({ ...(await onComponent(scene)), body: { find: 'LID' } }),
  replaceInRules: async (scene) => ({
    ...(await onComponent(scene)),
    body: {
      find: 'lid',
      replace: 'cover',
      fields: ['title'],
      case_sensitive: true,
      dry_run: false,
      comment: 'A better word',
    },
  }),
  undoReplaceInRules: undoing,
  'editRules status': async (scene) => {
    const { id, rules } = await component(scene)
    return { params: { id }, body: { rule_ids: rules, status: 'Not Applicable', rule_severity: 'high' } }
  },
  'editRules locked': async (scene) => {
    const { id, rules } = await component(scene)
    return { params: { id }, body: { rule_ids: rules, locked: true, comment: 'Agreed' } }
  },
}

async function component({ guidance, project, caller }: Scene): Promise<MadeComponent> {
  const srgId = await sharedSrg(guidance)
  return makeComponent(guidance, caller, { projectId: await project(), srgId })
}

async function onComponent(scene: Scene): Promise<SampleRequest> {
  return { params: { id: (await component(scene)).id } }
}

async function onRule(scene: Scene): Promise<SampleRequest> {
  return { params: { id: (await component(scene)).rules[0] ?? 0 } }
}

async function onAttachment(scene: Scene): Promise<SampleRequest> {
  const { rules } = await component(scene)
  const file = {
    name: 'lid.log',
    mediaType: 'text/plain',
    sha256: '0'.repeat(64),
    content: Buffer.from('It was shut.'),
  }
  const how = { file, author: { id: scene.caller.id, name: scene.caller.name }, createdAt: new Date().toISOString() }
  const id = await alter(scene.guidance, (writer) => insertAttachment(writer, rules[0] ?? 0, how))
  return { params: { id } }
}

/** An entry of a rule's history with its earlier title. */
async function reverting(scene: Scene): Promise<SampleRequest> {
  const { rules } = await component(scene)
  const id = rules[0] ?? 0
  const audit_id = await addAudit(scene, {
    action: 'update',
    auditable_type: 'Rule',
    auditable_id: id,
    changes: [{ field: 'title', prev_value: 'As it was.', new_value: 'As it is.' }],
  })
  return { params: { id }, body: { audit_id, fields: ['title'], audit_comment: 'It was better' } }
}

async function unlinking(scene: Scene): Promise<SampleRequest> {
  const { rules } = await component(scene)
  const [rule_id = 0, satisfied_by_rule_id = 0] = rules
  await satisfy(scene.guidance, rule_id, satisfied_by_rule_id)
  return { params: { id: 1 }, body: { rule_id, satisfied_by_rule_id } }
}

async function locking(scene: Scene): Promise<SampleRequest> {
  const { id } = await component(scene)
  await setRows(scene.guidance, 'rules', { status: 'Not Applicable' }, { component_id: id })
  return { params: { id }, body: { review: { action: 'lock_control', comment: 'Agreed' } } }
}

/** A replacement, identified by its audit entries. */
async function undoing(scene: Scene): Promise<SampleRequest> {
  const { id, rules } = await component(scene)
  const ruleId = rules[0] ?? 0
  const { title } = await rowOf(scene.guidance, 'rules', { id: ruleId })
  const audit = await addAudit(scene, {
    action: 'update',
    auditable_type: 'Rule',
    auditable_id: ruleId,
    changes: [{ field: 'title', prev_value: 'As it was.', new_value: title }],
  })
  const replacementId = await addAudit(scene, {
    action: 'custom',
    auditable_type: 'Component',
    auditable_id: id,
    changes: [{ field: 'audits', prev_value: null, new_value: [String(audit)] }],
  })
  return { params: { id, replacementId } }
}

interface SampleAudit {
  readonly action: 'update' | 'custom'
  readonly auditable_type: string
  readonly auditable_id: number
  readonly changes: readonly unknown[]
}

async function addAudit({ guidance, caller }: Scene, { changes, ...audit }: SampleAudit): Promise<number> {
  return addRow(guidance, 'audits', {
    ...audit,
    audited_name: 'A sample',
    actor_id: caller.id,
    name: caller.name,
    via: 'session 1',
    changes: JSON.stringify(changes),
    created_at: new Date().toISOString(),
  })
}

function advised(request: SampleRequest, body?: Record<string, string>): SampleRequest {
  return { ...request, params: { ...request.params, code: 'title_negative' }, ...(body === undefined ? {} : { body }) }
}
