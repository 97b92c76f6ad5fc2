// @module-tag database

import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { rowsOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { membersOf } from '../../../support/zip.ts'

const guidance = guidanceService()
const ann = signedIn(guidance, 'Ann')
let projectId = 0

beforeAll(async () => {
  projectId = await guidance().project(ann)
})

const listed = z.looseObject({
  milestones: z.array(z.looseObject({ id: z.int(), name: z.string(), due_on: z.string(), state: z.string() })),
})
const added = z.looseObject({ milestone: z.looseObject({ id: z.int() }) })

async function plan(id: number, start_on = '2027-01-01'): Promise<z.infer<typeof listed>['milestones']> {
  const { status, body } = await ann.call('POST', `/components/${id}/milestones/plan`, { body: { start_on } })
  expect(status).toBe(200)
  return listed.parse(body).milestones
}

async function add(id: number, name: string, due_on = '2027-05-01'): Promise<number> {
  const { body } = await ann.call('POST', `/components/${id}/milestones`, { body: { milestone: { name, due_on } } })
  return added.parse(body).milestone.id
}

async function reach(id: number, milestone: number): Promise<number> {
  return (await ann.call('POST', `/components/${id}/milestones/${milestone}/reach`)).status
}

async function edit(ruleId: number, rule: object): Promise<void> {
  expect((await ann.call('PATCH', `/rules/${ruleId}`, { body: { rule } })).status).toBe(200)
}

async function packOf(id: number, milestone: number, part: string): Promise<ReadonlyMap<string, Buffer>> {
  const { status, bytes } = await ann.call('GET', `/components/${id}/milestones/${milestone}/pack?part=${part}`)
  expect(status).toBe(200)
  return membersOf(bytes)
}

function make(): Promise<MadeComponent> {
  return makeComponent(guidance(), ann, { projectId })
}

describe('The plan of a component', () => {
  it("has the stages of DISA's process from a date, and moves only milestones that are not reached", async () => {
    const { id } = await make()
    const [intent, template, first, second, third] = await plan(id)
    expect([intent, template, first, second, third].map((milestone) => milestone?.due_on)).toEqual([
      '2027-01-01',
      '2027-01-15',
      '2027-02-14',
      '2027-03-16',
      '2027-04-15',
    ])
    expect(await reach(id, intent?.id ?? 0)).toBe(200)
    const moved = await plan(id, '2027-02-01')
    expect(moved.slice(0, 2)).toMatchObject([
      { id: intent?.id, due_on: '2027-01-01', state: 'reached' },
      { id: template?.id, due_on: '2027-02-15', state: 'due' },
    ])
    expect(moved).toHaveLength(8)
  })

  it('can be edited; a duplicate name and a wrong date are refused and change nothing', async () => {
    const { id } = await make()
    const kickOff = await add(id, 'Kick-off', '2020-01-31')
    const path = `/components/${id}/milestones`
    for (const milestone of [
      { name: 'kick-OFF', due_on: '2027-01-01' },
      { name: 'Other', due_on: '2027-02-30' },
      { name: 'Other', due_on: '0001-01-01' },
      { name: ' ', due_on: '2027-01-01' },
    ])
      expect((await ann.call('POST', path, { body: { milestone } })).status).toBe(422)
    const { body } = await ann.call('GET', path)
    expect(body).toMatchObject({ milestones: [{ id: kickOff, state: 'late' }] })
    const change = { milestone: { name: 'Start' } }
    expect((await ann.call('PATCH', `${path}/${kickOff}`, { body: change })).status).toBe(200)
    const { id: other } = await make()
    expect((await ann.call('PATCH', `/components/${other}/milestones/${kickOff}`, { body: change })).status).toBe(404)
    expect((await ann.call('DELETE', `${path}/${kickOff}`)).status).toBe(200)
    expect(listed.parse((await ann.call('GET', path)).body).milestones).toEqual([])
  })

  it('has at most 40 milestones', async () => {
    const { id } = await make()
    for (let number = 0; number < 40; number += 1) await add(id, `Meeting ${number}`)
    const body = { milestone: { name: 'One more', due_on: '2027-01-01' } }
    expect((await ann.call('POST', `/components/${id}/milestones`, { body })).status).toBe(422)
  })
})

describe('A reached milestone', () => {
  it('keeps the state of the component, and lists the changes since the milestone before', async () => {
    const { id, rules } = await make()
    const [rule = 0] = rules
    const first = await add(id, 'First')
    const second = await add(id, 'Second')
    await edit(rule, { title: 'The lid must be shut.', status: 'Applicable - Configurable' })
    expect(await reach(id, first)).toBe(200)
    await edit(rule, { title: 'The lid must be closed.' })
    expect(await reach(id, second)).toBe(200)
    await edit(rule, { title: 'The lid must be welded.' })
    const { body } = await ann.call('GET', `/components/${id}/milestones/${second}`)
    expect(body).toMatchObject({
      since: { id: first, name: 'First' },
      counts: { added: 0, removed: 0, changed: 1, unchanged: rules.length - 1 },
      rules: [
        {
          status: 'changed',
          changes: [{ field: 'title', before: 'The lid must be shut.', after: 'The lid must be closed.' }],
        },
      ],
      readiness: { ready: false },
    })
    const start = await ann.call('GET', `/components/${id}/milestones/${first}`)
    expect(start.body).toMatchObject({ since: null, counts: { added: rules.length } })
  })

  it('is not reached if all that the component has frozen would exceed 30 MB', async () => {
    const { id } = await make()
    const [first, second] = [await add(id, 'First'), await add(id, 'Second')]
    expect(await reach(id, first)).toBe(200)
    await setRows(guidance(), 'milestones', { bytes: 29_999_999 }, { id: first })
    const path = `/components/${id}/milestones/${second}`
    expect(await ann.call('POST', `${path}/reach`)).toMatchObject({ status: 422 })
    expect((await ann.call('GET', path)).status).toBe(422)
  })

  it('is reached once, and has nothing to show before', async () => {
    const { id } = await make()
    const milestone = await add(id, 'Draft')
    const path = `/components/${id}/milestones/${milestone}`
    expect((await ann.call('GET', path)).status).toBe(422)
    expect((await ann.call('GET', `${path}/pack?part=public`)).status).toBe(422)
    expect(await reach(id, milestone)).toBe(200)
    expect(await reach(id, milestone)).toBe(422)
    expect((await ann.call('GET', `${path}/pack`)).status).toBe(400)
  })
})

describe('The pack of a milestone', () => {
  it('has only published fields in its public part, and all others in its restricted part', async () => {
    const { id, rules } = await make()
    const [open = 0, secret = 0] = rules
    const [first, second] = [await add(id, 'First'), await add(id, 'Second')]
    expect(await reach(id, first)).toBe(200)
    await edit(open, { title: 'The lid must be shut.', status: 'Applicable - Configurable', vendor_comments: 'Inner.' })
    await edit(secret, {
      status: 'Applicable - Does Not Meet',
      status_justification: 'No lid.',
    })
    await setRows(guidance(), 'rules', { mitigations: 'A guard.' }, { id: secret })
    const log = 'It was shut.'
    const sent = await ann.call('POST', `/rules/${open}/attachments`, { form: { file: log, fileName: 'lid.log' } })
    expect(sent.status).toBe(201)
    expect(await reach(id, second)).toBe(200)
    const openPart = await packOf(id, second, 'public')
    const text = [...openPart.values()].map(String).join('\n')
    expect([...openPart.keys()].sort()).toEqual([
      expect.stringMatching(/-xccdf\.xml$/),
      'changes.csv',
      'milestone.json',
    ])
    expect(text).toContain('The lid must be shut.')
    for (const word of ['A guard.', 'No lid.', 'Inner.', 'lid.log', 'Does Not Meet', 'Ann'])
      expect(text).not.toContain(word)
    const rest = await packOf(id, second, 'restricted')
    const file = [...rest].find(([name]) => name.startsWith('attachments/'))
    expect([...rest.keys()].sort()).toEqual([
      expect.stringMatching(/-disa\.xlsx$/),
      'attachments.csv',
      expect.stringMatching(/^attachments\/TEAP-00-\d+\/1-lid\.log$/),
      'changes.csv',
      'milestone.json',
      'readiness.csv',
    ])
    expect(file?.[1].toString()).toBe(log)
    expect(String(rest.get('attachments.csv'))).toContain(createHash('sha256').update(log).digest('hex'))
    expect(String(rest.get('changes.csv'))).toContain('A guard.')
    const { attachment } = z.looseObject({ attachment: z.looseObject({ id: z.int() }) }).parse(sent.body)
    expect((await ann.call('DELETE', `/attachments/${attachment.id}`)).status).toBe(200)
    const later = await packOf(id, second, 'restricted')
    expect(String(later.get('attachments.csv'))).toContain('removed since')
  })
})

describe('An archive of a component with milestones', () => {
  it('copies them to another project, with their frozen archives', async () => {
    const { id, rules } = await make()
    const [rule = 0] = rules
    const [first, second] = [await add(id, 'First'), await add(id, 'Second', '2027-06-01')]
    await add(id, 'Third', '2027-07-01')
    expect(await reach(id, first)).toBe(200)
    await edit(rule, { title: 'The lid must be closed.' })
    expect(await reach(id, second)).toBe(200)
    await edit(rule, { title: 'The lid must be welded.' })
    const { bytes } = await ann.call('GET', `/components/${id}/export/json_archive`)
    const imported = await ann.call('POST', `/projects/${await guidance().project(ann)}/import_backup`, {
      form: { file: bytes, fileName: 'pots.zip' },
    })
    expect([imported.status, imported.body]).toMatchObject([200, {}])
    const other = (await rowsOf(guidance(), 'components')).at(-1)?.id ?? 0
    const { milestones } = listed.parse((await ann.call('GET', `/components/${other}/milestones`)).body)
    expect(milestones).toMatchObject([
      { name: 'First', state: 'reached', reached_by: 'Ann' },
      { name: 'Second', state: 'reached' },
      { name: 'Third', due_on: '2027-07-01', state: 'due' },
    ])
    const details = (await ann.call('GET', `/components/${other}/milestones/${milestones[1]?.id ?? 0}`)).body
    expect(details).toMatchObject({
      rules: [{ changes: [{ field: 'title', after: 'The lid must be closed.' }] }],
      since: { name: 'First' },
    })
    const was = z.looseObject({}).parse((await ann.call('GET', `/components/${id}/milestones/${second}`)).body)
    expect(details).toMatchObject({ readiness: was['readiness'], snapshot: was['snapshot'] })
  })
})
