import { makeComponent, sharedSrg } from '../authoring.ts'
import { setRows } from '../guidance-records.ts'
import type { Sample, SampleRequest, Scene } from '../sample-requests.ts'

/** Successful requests of the exports. */
export const EXPORT_SAMPLES: Readonly<Record<string, Sample>> = {
  'exportComponent content': (scene) => component(scene, 'xccdf', { mode: 'working_copy' }),
  'exportComponent disposition': (scene) => component(scene, 'disposition_csv', { triage_status: 'all' }),
  'exportProject content': (scene) => project(scene, 'csv', { exclude_satisfied_by: 'true' }),
  'exportProject disposition': (scene) => project(scene, 'disposition_csv', { include_email: 'true' }),
  exportReleased: released,
}

async function component(
  { guidance, caller, project: makeProject }: Scene,
  type: string,
  query: Readonly<Record<string, string>>,
): Promise<SampleRequest> {
  const { id } = await makeComponent(guidance, caller, {
    projectId: await makeProject(),
    srgId: await sharedSrg(guidance),
  })
  return { params: { id, type }, query }
}

async function project(
  { guidance, caller, project: makeProject }: Scene,
  type: string,
  query: Readonly<Record<string, string>>,
): Promise<SampleRequest> {
  const projectId = await makeProject()
  const { id } = await makeComponent(guidance, caller, { projectId, srgId: await sharedSrg(guidance) })
  return { params: { id: projectId, type }, query: { ...query, component_ids: String(id) } }
}

async function released({ guidance, caller, project: makeProject }: Scene): Promise<SampleRequest> {
  const { id } = await makeComponent(guidance, caller, {
    projectId: await makeProject(),
    srgId: await sharedSrg(guidance),
  })
  await setRows(guidance, 'components', { released: 1 }, { id })
  return { params: { type: 'csv' }, query: { component_ids: String(id) } }
}
