import { randomBytes } from 'node:crypto'
import { type MadeComponent, makeComponent, sharedSrg, storeSrg } from '../authoring.ts'
import { store } from '../catalogue.ts'
import { setRows } from '../guidance-records.ts'
import type { Sample, SampleRequest, Scene } from '../sample-requests.ts'
import { csvOf } from '../spreadsheet.ts'

/** Successful requests of the operations on components. */
export const COMPONENT_SAMPLES: Readonly<Record<string, Sample>> = {
  listReleasedComponents: () => ({}),
  'createComponent from SRGs': fromSrgs,
  'createComponent from a published STIG': async ({ guidance, project }) => ({
    params: { id: await project() },
    body: {
      component: {
        name: 'Kettle',
        prefix: 'KETL-02',
        title: 'Kettle Guide',
        source_stig_id: await storeStig(guidance),
        security_requirements_guide_id: await sharedSrg(guidance),
      },
    },
  }),
  listNamedSrgs: async ({ guidance }) => ({ params: { id: await storeStig(guidance) } }),
  diffComponentWithPublished: async (scene) => {
    const { made } = await component(scene)
    const stig = await storeStig(scene.guidance)
    const [source_stig_id, source_stig_version] = [`Kettle_of_${made.id}_STIG`, 'V1R1']
    await setRows(scene.guidance, 'benchmarks', { benchmark_id: source_stig_id }, { id: stig })
    await setRows(scene.guidance, 'components', { source_stig_id, source_stig_version }, { id: made.id })
    return { params: { id: made.id }, query: { from: String(stig) } }
  },
  'createComponent as a copy': async (scene) => {
    const { made, projectId } = await component(scene)
    const copy = { duplicate: true, id: made.id, name: 'Copied teapot', version: 2, release: 1 }
    return { params: { id: projectId }, body: { component: copy } }
  },
  'createComponent over a released one': async (scene) => {
    const { made, projectId } = await component(scene)
    await release(scene, made.id)
    return { params: { id: projectId }, body: { component: { component_id: made.id } } }
  },
  'createComponent from a spreadsheet': async ({ guidance, project }) => ({
    params: { id: await project() },
    form: {
      file: csvOf([{ SRGID: 'SRG-TEA-000001', STIGID: 'POTS-01-000001' }]),
      fields: {
        'component[name]': 'Pots',
        'component[title]': 'Pots Guide',
        'component[security_requirements_guide_id]': String(await sharedSrg(guidance)),
      },
    },
  }),
  getComponent: existingComponent,
  updateComponent: async (scene) => ({
    ...(await existingComponent(scene)),
    body: {
      component: {
        name: 'Renamed',
        prefix: 'KETL-01',
        title: 'Kettle Guide',
        description: null,
        version: 1,
        release: 2,
        admin_name: 'Ann',
        admin_email: 'ann@example.org',
        comment_phase: 'closed',
        closed_reason: 'adjudicating',
        lock_version: 0,
        comment_period_starts_at: '2026-01-31',
        comment_period_ends_at: '2026-02-28T12:00:00Z',
        additional_questions_attributes: [
          { name: 'Which lid?', question_type: 'dropdown', options: ['flat', 'round'] },
        ],
        component_metadata_attributes: { data: { Shelf: 'upper' } },
      },
    },
  }),
  deleteComponent: existingComponent,
  releaseComponent: async (scene) => {
    const { made } = await component(scene, { kind: 'srg', version: 1, release: 1 })
    await decide(scene, made.id)
    return { params: { id: made.id } }
  },
  getComponentHistories: existingComponent,
  getComponentRecord: existingComponent,
  listRelatedComponents: existingComponent,
  getComponentLineage: async (scene) => {
    const name = 'Teapot of many versions'
    const { projectId } = await component(scene, { name })
    return { query: { project_id: String(projectId), name } }
  },
  compareComponents: async (scene) => {
    const { made, projectId } = await component(scene)
    const other = await makeComponent(scene.guidance, scene.caller, { projectId, srgId: made.srgId })
    return { query: { base_id: String(made.id), diff_id: String(other.id) } }
  },
  previewRebase: async (scene) => {
    const { made } = await component(scene)
    return { params: { id: made.id }, query: { srg: String(await storeSrg(scene.guidance)) } }
  },
  diffComponents: twoComponents,
  diffComponentsAsTable: twoComponents,
}

function storeStig(guidance: Scene['guidance']): Promise<number> {
  return store(guidance, { id: `Kettle_${randomBytes(6).toString('hex')}_STIG` })
}

async function twoComponents(scene: Scene): Promise<SampleRequest> {
  const { made, projectId } = await component(scene)
  const other = await makeComponent(scene.guidance, scene.caller, { projectId, srgId: made.srgId, prefix: 'KETL-00' })
  return { params: { id: other.id }, query: { from: String(made.id) } }
}

async function fromSrgs({ guidance, project }: Scene): Promise<SampleRequest> {
  const srg = await sharedSrg(guidance)
  const other = await storeSrg(guidance)
  return {
    params: { id: await project() },
    body: {
      component: {
        name: 'Teapot',
        prefix: 'teap-00',
        title: 'Teapot Guide',
        description: null,
        version: 1,
        release: 1,
        document_type: 'stig',
        security_requirements_guide_id: srg,
        declared_source_srg_ids: [other],
        requirement_selections: { [other]: ['SRG-TEA-000001'] },
        additional_questions_attributes: [{ name: 'Why?', question_type: 'freeform' }],
        component_metadata_attributes: { data: { Shelf: 'upper' } },
        slack_channel_id: 'C1',
      },
    },
  }
}

/** A component in a new project. */
async function component(
  { guidance, caller, project }: Scene,
  how: Partial<Parameters<typeof makeComponent>[2]> = {},
): Promise<{ readonly made: MadeComponent; readonly projectId: number }> {
  const projectId = await project()
  const srg = how.kind === 'srg' ? {} : { srgId: await sharedSrg(guidance) }
  const made = await makeComponent(guidance, caller, { ...srg, ...how, projectId })
  return { made, projectId }
}

async function existingComponent(scene: Scene): Promise<SampleRequest> {
  const { made } = await component(scene)
  return { params: { id: made.id } }
}

/** Releases a component without HTTP. */
async function release({ guidance }: Scene, id: number): Promise<void> {
  const { database } = guidance.service.guidance
  await database.transact((writer) =>
    writer.updateTable('components').set({ released: 1 }).where('id', '=', id).execute(),
  )
}

/** Makes all requirements ready for a release, without HTTP. */
async function decide({ guidance }: Scene, id: number): Promise<void> {
  const { database } = guidance.service.guidance
  await database.transact((writer) =>
    writer.updateTable('rules').set({ status: 'Applicable', locked: 1 }).where('component_id', '=', id).execute(),
  )
}
