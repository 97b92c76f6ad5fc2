import { makeComponent, sharedSrg } from '../authoring.ts'
import type { Sample, SampleRequest, Scene } from '../sample-requests.ts'

/** Successful requests of the figures of components and projects. */
export const FIGURE_SAMPLES: Readonly<Record<string, Sample>> = {
  listLatestComponents: () => ({ query: { q: 'teapot' } }),
  getComponentSummary: inComponent,
  getComponentStats: inComponent,
  getComponentWorkflowState: inComponent,
  getComponentTriageSummary: inComponent,
  getComponentReadiness: inComponent,
  getComponentAdvice: inComponent,
  getComponentAdviceCounts: inComponent,
  getProjectStats: async ({ project }) => ({ params: { id: await project() } }),
  getProjectTriageSummary: async ({ project }) => ({ params: { id: await project() } }),
}

async function inComponent({ guidance, project, someone }: Scene): Promise<SampleRequest> {
  const projectId = await project()
  const { id } = await makeComponent(guidance, await someone(), { projectId, srgId: await sharedSrg(guidance) })
  return { params: { id } }
}
