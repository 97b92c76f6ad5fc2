import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent, storeSrg } from '../../../support/authoring.ts'
import { type Answer, guidanceService, signedIn } from '../../../support/guidance.ts'
import { csvOf } from '../../../support/spreadsheet.ts'

const service = guidanceService()

const TITLE = 'Señor, shut it.'
const ROW = { SRGID: 'SRG-TEA-000001', STIGID: 'POTS-01-000001', Requirement: TITLE }

describe('A spreadsheet in Windows-1252', () => {
  const owner = signedIn(service, 'Ann')
  let projectId = 0
  let srgId = 0
  const file = Buffer.from(csvOf([ROW]), 'latin1')
  const readAs = { name: 'windows-1252', samples: [{ place: 'row 2, Requirement (D2)', text: TITLE }] }

  beforeAll(async () => {
    projectId = await service().project(owner)
    srgId = await storeSrg(service(), 'stig', 3)
  })

  async function imported(method: 'POST' | 'PATCH', path: string, fields: Record<string, string>): Promise<Answer> {
    return owner.call(method, path, { form: { file, fileName: 'pots.csv', fields } })
  }

  it('begins a component in the encoding that a preview has shown', async () => {
    expect((await imported('POST', '/components/detect_srg', {})).body).toMatchObject({ id: srgId })
    const srg = { security_requirements_guide_id: String(srgId) }
    const preview = await imported('POST', '/components/preview_spreadsheet', srg)
    expect(preview.body).toMatchObject({ encoding: readAs, rules: [{ title: TITLE }, {}, {}].slice(0, 1) })

    const fields = { name: 'Pots', title: 'Pots Guide', ...srg }
    const guessed = await imported('POST', `/projects/${projectId}/components`, fields)
    expect(guessed.body).toMatchObject({ status: 422, code: 'bad_encoding', encoding: readAs })
    const created = await imported('POST', `/projects/${projectId}/components`, { ...fields, encoding: 'windows-1252' })
    const { id } = z.looseObject({ id: z.int() }).parse(created.body)
    const { body } = await owner.call('GET', `/components/${id}`)
    expect(z.looseObject({ rules: z.array(z.looseObject({ title: z.string() })) }).parse(body).rules[0]?.title).toBe(
      TITLE,
    )
  })

  it('updates a component in the encoding that a preview has shown', async () => {
    const { id } = await makeComponent(service(), owner, { projectId, srgId, name: 'Updated' })
    const preview = await imported('POST', `/components/${id}/preview_spreadsheet_update`, {})
    expect(preview.body).toMatchObject({ encoding: readAs, updated: [{ changes: { title: { to: TITLE } } }] })
    const path = `/components/${id}/apply_spreadsheet_update`
    expect((await imported('PATCH', path, {})).body).toMatchObject({ status: 422, code: 'bad_encoding' })
    expect((await imported('PATCH', path, { encoding: 'windows-1252' })).body).toMatchObject({ updated: [{}] })
  })

  it('is merged as its plan shows it', async () => {
    const { id } = await makeComponent(service(), owner, { projectId, srgId, name: 'Merged' })
    const plan = await imported('POST', `/components/${id}/merges`, {})
    expect(plan.body).toMatchObject({ encoding: readAs })
    expect(JSON.stringify(plan.body)).toContain(TITLE)
    const other = await imported('POST', `/components/${id}/merges`, { encoding: 'utf-8' })
    expect(other.body).toMatchObject({ status: 422, code: 'bad_encoding' })
  })

  it('is refused in an encoding that is not known', async () => {
    const { body } = await imported('POST', '/components/detect_srg', { encoding: 'klingon' })
    expect(body).toMatchObject({
      status: 422,
      errors: [{ message: 'Encoding must be one of utf-8, windows-1252, utf-16' }],
    })
  })
})
