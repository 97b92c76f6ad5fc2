import { makeSrgs, placeProposal } from '../relocations.ts'
import type { Sample, SampleRequest, Scene } from '../sample-requests.ts'

/** Successful requests of the operations on relocations. */
export const RELOCATION_SAMPLES: Readonly<Record<string, Sample>> = {
  createRelocation: async ({ guidance, caller, project }) => {
    const { source } = await makeSrgs(guidance, caller, { projectId: await project() })
    const requirement_relocation = { target_technology_token: 'ketl' }
    return { params: { id: source.rules[0] ?? 0 }, body: { requirement_relocation } }
  },
  listRelocations: () => ({ query: { target_technology_token: 'KETL' } }),
  listRelocationDestinations: () => ({}),
  deleteRelocation: async (scene) => ({ params: (await proposal(scene)).params }),
  previewRelocation: (scene) => proposal(scene),
  acceptRelocation: (scene) => proposal(scene),
  declineRelocation: (scene) => proposal(scene, { requirement_relocation: { adjudication_rationale: 'We have it.' } }),
}

async function proposal(
  { guidance, caller, project }: Scene,
  members: object = {},
): Promise<SampleRequest & Required<Pick<SampleRequest, 'params'>>> {
  const projectId = await project()
  const { source, target } = await makeSrgs(guidance, caller, { projectId })
  const [ruleId = 0] = source.rules
  const id = await placeProposal(guidance, caller, { ruleId, projectId })
  return { params: { id }, body: { target_component_id: target.id, ...members } }
}
