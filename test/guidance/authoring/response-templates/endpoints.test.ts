import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { templateSchema } from '../../../../src/guidance/authoring/response-templates/schemas.ts'
import { guidanceService, signedIn, type Answer } from '../../../support/guidance.ts'

const guidance = guidanceService()

const owner = signedIn(guidance, 'Owner')
let projectId = 0

beforeAll(async () => {
  projectId = await guidance().project(owner)
})

const singleAnswer = z.object({ triage_response_template: templateSchema })
const several = z.object({ triage_response_templates: z.array(templateSchema) })

function path(id = ''): string {
  return `/projects/${projectId}/triage_response_templates${id === '' ? '' : `/${id}`}`
}

function send(method: string, template: unknown, id?: number): Promise<Answer> {
  const body = { triage_response_template: template }
  return owner.call(method, path(id === undefined ? '' : String(id)), { body })
}

async function idOf(answer: Promise<Answer>): Promise<number> {
  return singleAnswer.parse((await answer).body).triage_response_template.id
}

async function names(): Promise<readonly string[]> {
  const { body } = await owner.call('GET', path())
  return several.parse(body).triage_response_templates.map(({ name }) => name)
}

describe('A response template', () => {
  it('is created, listed by name, changed and removed', async () => {
    const created = await send('POST', { name: ' zebra ', body: 'Thank you.' })
    expect(created).toMatchObject({
      status: 201,
      body: { triage_response_template: { name: 'zebra', body: 'Thank you.' } },
    })
    const id = singleAnswer.parse(created.body).triage_response_template.id
    await send('POST', { name: 'Apple', body: 'No, thank you.' })
    expect(await names()).toEqual(['Apple', 'zebra'])
    for (const method of ['PATCH', 'PUT'])
      expect(await send(method, { body: method }, id)).toMatchObject({
        status: 200,
        body: { triage_response_template: { id, name: 'zebra', body: method } },
      })
    const removed = await owner.call('DELETE', path(String(id)))
    expect(removed.body).toMatchObject({ toast: { title: 'Response template removed.' } })
    expect(await names()).toEqual(['Apple'])
    expect((await owner.call('DELETE', path(String(id)))).status).toBe(404)
  })

  it('has a unique name, ignoring letter case', async () => {
    const id = await idOf(send('POST', { name: 'Élan', body: 'a' }))
    const other = await idOf(send('POST', { name: 'Verve', body: 'a' }))
    const taken = { status: 422, body: { errors: [{ message: 'Name has already been taken' }] } }
    expect(await send('POST', { name: 'ÉLAN', body: 'b' })).toMatchObject(taken)
    expect(await send('PATCH', { name: 'élan' }, other)).toMatchObject(taken)
    expect((await send('PATCH', { name: 'élan' }, id)).status).toBe(200)
    const elsewhere = await guidance().project(owner)
    const answer = await owner.call('POST', `/projects/${elsewhere}/triage_response_templates`, {
      body: { triage_response_template: { name: 'Élan', body: 'a' } },
    })
    expect(answer.status).toBe(201)
    const foreign = `/projects/${elsewhere}/triage_response_templates/${id}`
    expect((await owner.call('DELETE', foreign)).status).toBe(404)
  })

  it('is created once when it is sent twice at the same time', async () => {
    const twice = await Promise.all([1, 2].map(() => send('POST', { name: 'Once', body: 'a' })))
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 422])
  })

  it.each([
    [{ body: 'a' }, 'name', "Name can't be blank"],
    [{ name: 'x'.repeat(201), body: 'a' }, 'name', 'Name is too long (maximum is 200 characters)'],
    [{ name: 'n', body: ' ' }, 'body', "Body can't be blank"],
    [{ name: 'n' }, 'body', "Body can't be blank"],
  ])('is refused: %j', async (template, field, message) => {
    expect(await send('POST', template)).toMatchObject({ status: 422, body: { errors: [{ field, message }] } })
  })
})
