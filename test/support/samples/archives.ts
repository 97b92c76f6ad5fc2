import { makeComponent, storeSrg } from '../authoring.ts'
import { type Sample, type SampleRequest, type Scene } from '../sample-requests.ts'
import { csvOf } from '../spreadsheet.ts'

/** Requests that succeed, of the operations on spreadsheets and archives. */
export const ARCHIVE_SAMPLES: Readonly<Record<string, Sample>> = {
  detectSrg: async ({ guidance }) => {
    const version = `SRG-ONLY-${Date.now()}-${Math.random()}`
    await storeSrg(guidance, 'stig', [{ id: 'SV-1r1_rule', version }])
    return { form: { file: csvOf([{ SRGID: version }]), fileName: 'rules.csv' } }
  },
  previewSpreadsheetUpdate: (scene) => sheet(scene),
  applySpreadsheetUpdate: (scene) => sheet(scene),
}

async function sheet(scene: Scene): Promise<SampleRequest> {
  const { id } = await makeComponent(scene.guidance, scene.caller, {
    projectId: await scene.project(),
  })
  const file = csvOf([{ STIGID: 'TEAP-00-000001', Requirement: 'Shut the lid.' }])
  return { params: { id }, form: { file, fileName: 'rules.csv' } }
}
