// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent, type MadeComponent } from '../support/authoring.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService, signedIn } from '../support/guidance.ts'
import { xccdfDocument } from '../support/xccdf-document.ts'

const service = guidanceService()

const FROM_SRG = 'Cold tea is <b>wasted</b> tea.'
const RULES = [{ id: 'SV-1', version: 'SRG-TEA-000001', elements: { rationale: FROM_SRG } }]

const client = signedIn(service, 'Ann', { admin: true })
let component: MadeComponent
let path: string
let projectId: number

beforeAll(async () => {
  projectId = await service().project(client)
  component = await makeComponent(service(), client, { projectId, rules: RULES })
  path = `/rules/${component.rules[0] ?? 0}`
})

const description = z.tuple([z.looseObject({ rationale: z.string().nullable() })])
const authored = z.object({ disa_rule_descriptions_attributes: description, lock_version: z.int() })

async function rationaleOf(rule: string): Promise<string | null> {
  const { body } = await client.call('GET', rule)
  return authored.parse(body).disa_rule_descriptions_attributes[0].rationale
}

describe('The rationale of a rule', () => {
  it('is read from the XCCDF of an SRG and shown in the catalogue', async () => {
    const { body } = await client.call('GET', `/srgs/${component.srgId}`)
    const rules = z.object({
      warnings: z.array(z.unknown()),
      srg_rules: z.tuple([z.object({ disa_rule_descriptions_attributes: description })]),
    })
    const { warnings, srg_rules: requirements } = rules.parse(body)
    expect(requirements[0].disa_rule_descriptions_attributes[0].rationale).toBe(FROM_SRG)
    expect(warnings).toEqual([])
  })

  it('is a column of the catalogue as CSV', async () => {
    const { bytes } = await client.call('GET', `/srgs/${component.srgId}/export/csv?columns=rationale`)
    expect(bytes.toString('utf8')).toBe(`\ufeffRationale\r\n${FROM_SRG}\r\n`)
  })

  it('joins repeated elements of a rule', async () => {
    const document = xccdfDocument({ id: 'Kettle_STIG', rules: [{ id: 'SV-2', elements: { rationale: 'One.' } }] })
    const id = await store(service(), document.replace('</rationale>', '</rationale><rationale>Two.</rationale>'))
    const { body } = await client.call('GET', `/stigs/${id}`)
    const stig = z.object({ stig_rules: z.tuple([z.object({ disa_rule_descriptions_attributes: description })]) })
    expect(stig.parse(body).stig_rules[0].disa_rule_descriptions_attributes[0].rationale).toBe('One.\n\nTwo.')
  })

  it('is an advanced field in the form of a configurable rule', async () => {
    const { body } = await client.call('GET', `/api/components/${component.id}/form`)
    const form = z.object({ fields: z.array(z.looseObject({ name: z.string() })) })
    expect(form.parse(body).fields.find(({ name }) => name === 'rationale')).toMatchObject({
      label: 'Rationale',
      within: 'description',
      section: 'Vulnerability Discussion',
      shown: { 'Applicable - Configurable': 'advanced', 'Not Applicable': 'hidden' },
    })
  })

  it('is that of the SRG in a component made of a working copy without its column', async () => {
    const { bytes } = await client.call('GET', `/components/${component.id}/export/csv`)
    const [header = '', ...lines] = bytes.toString('utf8').split('\r\n')
    const file = [header.replace('Rationale', 'Unknown'), ...lines].join('\r\n')
    const fields = { name: 'Copy', title: 'Copy', security_requirements_guide_id: String(component.srgId) }
    const { status } = await client.call('POST', `/projects/${projectId}/components`, { form: { file, fields } })
    expect(status).toBe(200)
    const rule = await service()
      .service.guidance.database.read.selectFrom('rules')
      .innerJoin('components', 'components.id', 'rules.component_id')
      .select('rules.rationale')
      .where('components.name', '=', 'Copy')
      .executeTakeFirstOrThrow()
    expect(rule.rationale).toBe(FROM_SRG)
  })

  it('is edited, until its section is locked', async () => {
    expect(await rationaleOf(path)).toBe(FROM_SRG)
    const edit = (rationale: string) =>
      client.call('PUT', path, { body: { rule: { disa_rule_descriptions_attributes: [{ rationale }] } } })
    expect((await edit('Whisky.')).status).toBe(200)
    expect(await rationaleOf(path)).toBe('Whisky.')
    const lock = { section: 'Vulnerability Discussion', locked: true }
    await client.call('PATCH', `${path}/section_locks`, { body: lock })
    expect(await edit('Gin.')).toMatchObject({ status: 409, body: { fields: ['rationale'] } })
    await client.call('PATCH', `${path}/section_locks`, { body: { ...lock, locked: false } })
  })

  it('is found and replaced', async () => {
    const body = { find: 'Whisky', replace: 'Tea', dry_run: false }
    const { status } = await client.call('POST', `/components/${component.id}/replace`, { body })
    expect([status, await rationaleOf(path)]).toEqual([200, 'Tea.'])
  })
})
