import { storePlan } from '../../../src/guidance/interchange/merges/storing/store.ts'
import { freezeComponent } from '../../../src/guidance/interchange/milestones/freeze.ts'
import { addMilestone, reachMilestone } from '../../../src/guidance/interchange/milestones/writer.ts'
import { archiveOf, namedSrg } from '../archive.ts'
import { makeComponent, storeSrg } from '../authoring.ts'
import { rowOf } from '../guidance-records.ts'
import type { Sample, SampleRequest, Scene } from '../sample-requests.ts'
import { csvOf } from '../spreadsheet.ts'

/** Successful requests of the operations on spreadsheets and archives. */
export const ARCHIVE_SAMPLES: Readonly<Record<string, Sample>> = {
  detectSrg: async ({ guidance }) => {
    const version = `SRG-ONLY-${Date.now()}-${Math.random()}`
    await storeSrg(guidance, 'stig', [{ id: 'SV-1r1_rule', version }])
    return { form: { file: csvOf([{ SRGID: version }]), fileName: 'rules.csv' } }
  },
  previewSpreadsheet: async ({ guidance }) => ({
    form: {
      file: csvOf([{ SRGID: 'SRG-TEA-000001', STIGID: 'POTS-01-000001' }]),
      fileName: 'rules.csv',
      fields: { security_requirements_guide_id: String(await storeSrg(guidance)) },
    },
  }),
  previewSpreadsheetUpdate: (scene) => sheet(scene),
  applySpreadsheetUpdate: (scene) => sheet(scene),
  createMerge: (scene) => sheet(scene),
  getMerge: merging,
  decideMerge: async (scene) => ({
    ...(await merging(scene)),
    body: { decisions: [{ field: 'title', outcome: 'theirs', take: 'ours' }] },
  }),
  applyMerge: merging,
  undoMerge: merging,
  listMilestones: withMilestone,
  addMilestone: async (scene) => ({
    ...(await withMilestone(scene)),
    body: { milestone: { name: 'Kick-off', due_on: '2027-01-31' } },
  }),
  planMilestones: async (scene) => ({ ...(await withMilestone(scene)), body: { start_on: '2027-01-01' } }),
  getMilestone: reached,
  updateMilestone: async (scene) => ({
    ...(await withMilestone(scene)),
    body: { milestone: { due_on: '2027-02-01' } },
  }),
  deleteMilestone: withMilestone,
  reachMilestone: withMilestone,
  'getMilestonePack public': async (scene) => ({ ...(await reached(scene)), query: { part: 'public' } }),
  'getMilestonePack restricted': async (scene) => ({ ...(await reached(scene)), query: { part: 'restricted' } }),
  importBackup: async (scene) => ({
    params: { id: await scene.project() },
    form: { file: await archive(scene), fileName: 'backup.zip', fields: OPTIONS },
  }),
  createProjectFromBackup: async (scene) => ({
    form: {
      file: await archive(scene),
      fileName: 'backup.zip',
      fields: { ...OPTIONS, project_name: 'Restored', project_visibility: 'hidden' },
    },
  }),
}

const OPTIONS = {
  dry_run: 'false',
  include_reviews: 'true',
  include_memberships: 'false',
  component_filter: '{"Pots":"Pots again"}',
}

/** Creates an archive of a component whose SRG is in the catalogue. */
async function archive({ guidance }: Scene): Promise<Buffer> {
  return archiveOf({ based_on: await namedSrg(guidance, await storeSrg(guidance)) })
}

/** A plan with one field that only the file has changed. */
async function merging({ guidance, caller, project }: Scene): Promise<SampleRequest> {
  const component = await makeComponent(guidance, caller, { projectId: await project() })
  const { database } = guidance.service.guidance
  const [ruleId = 0] = component.rules
  const row = await rowOf(guidance, 'rules', { id: ruleId })
  const sides = { base: row.title, ours: row.title, theirs: 'Shut the lid.', merged: null }
  const merge = await storePlan(database, {
    columns: {
      component_id: component.id,
      user_id: caller.id,
      file_name: 'rules.csv',
      format: 'spreadsheet',
      base_source: 'file',
      base_until: null,
      unchanged: 8,
      notes: JSON.stringify({ rules: 1, unmatched: [], missing: [], renumbered: [], warnings: [], encoding: null }),
    },
    rules: [{ ruleId, plan: { unchanged: 8, fields: [{ field: 'title', outcome: 'theirs', ...sides }] } }],
  })
  return { params: { id: component.id, merge } }
}

async function withMilestone({ guidance, caller, project }: Scene): Promise<SampleRequest> {
  const { id } = await makeComponent(guidance, caller, { projectId: await project() })
  const { database } = guidance.service.guidance
  const milestone = await database.transact((writer) =>
    addMilestone(writer, id, { name: 'Draft at 30 days', due_on: '2027-01-31' }),
  )
  return { params: { id, milestone } }
}

async function reached(scene: Scene): Promise<SampleRequest> {
  const request = await withMilestone(scene)
  const { database } = scene.guidance.service.guidance
  const [componentId, id] = [Number(request.params?.['id']), Number(request.params?.['milestone'])]
  const frozen = await freezeComponent(database.read, { componentId, version: '1.0' })
  const target = { componentId, id, caller: scene.caller }
  await database.transact((writer) => reachMilestone(writer, target, frozen))
  return request
}

async function sheet(scene: Scene): Promise<SampleRequest> {
  const { id } = await makeComponent(scene.guidance, scene.caller, { projectId: await scene.project() })
  const file = csvOf([{ STIGID: 'TEAP-00-000001', Requirement: 'Shut the lid.' }])
  return { params: { id }, form: { file, fileName: 'rules.csv' } }
}
