import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent } from '../../../support/authoring.ts'
import { guidanceService, signedIn, type Answer } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'

const guidance = guidanceService()
const owner = signedIn(guidance, 'Ann')
let projectId = 0

beforeAll(async () => {
  projectId = await guidance().project(owner)
})

const QUESTIONS = [
  { name: 'Where?', question_type: 'url' },
  { name: 'Which lid?', question_type: 'dropdown', options: ['flat', 'round', '100% flat'] },
  { name: 'Why?', question_type: 'freeform' },
]

const questionsAnswer = z.looseObject({
  additional_questions: z.array(z.looseObject({ id: z.int(), name: z.string() })),
})

interface MadeQuestions {
  readonly id: number
  readonly rules: readonly number[]
  /** Numbers of the questions, by their kinds. */
  readonly url: number
  readonly dropdown: number
  readonly freeform: number
}

async function component(): Promise<MadeQuestions> {
  const { id, rules } = await makeComponent(guidance(), owner, { projectId })
  const { body } = await change(id, QUESTIONS).then(() => owner.call('GET', `/components/${id}`))
  const [url, dropdown, freeform] = questionsAnswer.parse(body).additional_questions.map((question) => question.id)
  return { id, rules, url: url ?? 0, dropdown: dropdown ?? 0, freeform: freeform ?? 0 }
}

async function change(id: number, questions: unknown): Promise<void> {
  const body = { component: { additional_questions_attributes: questions } }
  const { status } = await owner.call('PUT', `/components/${id}`, { body })
  expect(status).toBe(200)
}

function put(ruleId: number | undefined, answers: unknown, members: object = {}): Promise<Answer> {
  const rule = { ...members, additional_answers_attributes: answers }
  return owner.call('PUT', `/rules/${ruleId ?? 0}`, { body: { rule } })
}

const withAnswers = z.looseObject({
  title: z.string(),
  lock_version: z.int(),
  additional_answers_attributes: z.array(
    z.object({ id: z.int(), additional_question_id: z.int(), answer: z.string().nullable() }),
  ),
})

async function read(ruleId = 0): Promise<z.infer<typeof withAnswers>> {
  return withAnswers.parse((await owner.call('GET', `/rules/${ruleId}`)).body)
}

async function answersOf(ruleId = 0): Promise<readonly (string | null)[]> {
  return (await read(ruleId)).additional_answers_attributes.map(({ answer }) => answer)
}

describe('An answer', () => {
  it.each([
    ['url', 'https://example.org/a?b=c#d'],
    ['url', 'HTTP://EXAMPLE.ORG'],
    ['url', 'http://[::1]:8080/'],
    ['dropdown', 'flat'],
    ['dropdown', '100% flat'],
    ['freeform', 'Anything: <b>é😀</b>'],
    ['freeform', 'x'.repeat(10_000)],
  ] as const)('to a question of the kind %s can be %j', async (kind, answer) => {
    const made = await component()
    const [ruleId] = made.rules
    const sent = [{ additional_question_id: made[kind], answer }]
    expect((await put(ruleId, sent)).status).toBe(200)
    expect(await answersOf(ruleId)).toEqual([answer])
    const before = await read(ruleId)
    expect((await put(ruleId, sent)).status).toBe(200)
    expect(await read(ruleId)).toEqual(before)
  })

  it.each([
    ['url', 'no address', 'Where?: the answer must be an http or https address'],
    ['url', 'example.org', 'Where?'],
    ['url', '/relative', 'Where?'],
    ['url', 'http://', 'Where?'],
    ['url', 'https://a b/', 'Where?'],
    ['url', 'ftp://example.org', 'Where?'],
    ['url', 'javascript:alert(1)', 'Where?'],
    ['url', 'java\nscript:alert(1)', 'Where?'],
    ['url', 'data:text/html,x', 'Where?'],
    ['url', `https://example.org/${'x'.repeat(10_000)}`, 'too long'],
    ['dropdown', 'oval', 'Which lid?: the answer must be one of the options'],
    ['dropdown', 'Flat', 'Which lid?'],
    ['dropdown', 'flat ', 'Which lid?'],
    ['dropdown', 'flat,round', 'Which lid?'],
    ['freeform', 'x'.repeat(10_001), 'too long'],
    ['freeform', 'a\0b', 'cannot be stored'],
    ['freeform', '\ud800', 'cannot be stored'],
    ['freeform', 7, 'must be a text'],
    ['dropdown', ['flat'], 'must be a text'],
  ] as const)('to a question of the kind %s cannot be %j', async (kind, answer, message) => {
    const made = await component()
    const [ruleId] = made.rules
    const sent = [{ additional_question_id: made[kind], answer }]
    const { status, body } = await put(ruleId, sent, { title: 'Not this either' })
    expect([status, body]).toMatchObject([
      422,
      {
        code: 'validation_failed',
        errors: [{ field: containing('additional_answers_attributes'), message: containing(message) }],
      },
    ])
    expect(await read(ruleId)).toMatchObject({ additional_answers_attributes: [], lock_version: 0 })
    expect((await read(ruleId)).title).not.toBe('Not this either')
  })

  it('is changed by its own number or that of the question, and removed', async () => {
    const made = await component()
    const [ruleId] = made.rules
    await put(ruleId, [
      { additional_question_id: made.url, answer: 'https://example.org/' },
      { additional_question_id: made.dropdown, answer: 'flat' },
      { additional_question_id: made.freeform, answer: 'Because.' },
    ])
    const [url, lid] = (await read(ruleId)).additional_answers_attributes
    await put(ruleId, [
      { id: url?.id, answer: 'https://example.org/2' },
      { additional_question_id: made.dropdown, answer: 'round' },
    ])
    expect(await answersOf(ruleId)).toEqual(['https://example.org/2', 'round', 'Because.'])
    expect((await put(ruleId, [{ id: lid?.id, answer: 'oval' }])).status).toBe(422)
    await put(ruleId, [
      { id: url?.id, answer: '  ' },
      { id: lid?.id, _destroy: true },
    ])
    expect(await answersOf(ruleId)).toEqual(['Because.'])
    // Deleting an answer that is already deleted is refused.
    expect((await put(ruleId, [{ id: lid?.id, _destroy: true }])).status).toBe(404)
  })

  it('counts once for each question: the last value', async () => {
    const made = await component()
    const [ruleId] = made.rules
    await put(ruleId, [
      { additional_question_id: made.dropdown, answer: 'flat' },
      { additional_question_id: made.dropdown, answer: 'round' },
    ])
    expect(await answersOf(ruleId)).toEqual(['round'])
  })

  it('is recorded in the history of its rule with the previous value', async () => {
    const made = await component()
    const [ruleId] = made.rules
    for (const answer of ['flat', 'round', null]) await put(ruleId, [{ additional_question_id: made.dropdown, answer }])
    const { body } = await owner.call('GET', `/rules/${ruleId ?? 0}`)
    const field = `additional_answers_attributes.${made.dropdown}`
    expect(body).toMatchObject({
      histories: [
        { audited_changes: [] },
        { audited_changes: [{ field, prev_value: null, new_value: 'flat' }] },
        { audited_changes: [{ field, prev_value: 'flat', new_value: 'round' }] },
        { audited_changes: [{ field, prev_value: 'round', new_value: null }] },
      ],
    })
  })

  it('requires a question of the component and, with a number, an answer of the rule', async () => {
    const [made, other] = [await component(), await component()]
    const [first, second] = made.rules
    await put(second, [{ additional_question_id: made.freeform, answer: 'Mine' }])
    const [foreign] = (await read(second)).additional_answers_attributes
    for (const sent of [
      { additional_question_id: other.freeform, answer: 'x' },
      { additional_question_id: 2_147_483_647, answer: 'x' },
      { id: foreign?.id, answer: 'x' },
      { id: foreign?.id, _destroy: true },
      { answer: 'x' },
    ])
      expect([sent, (await put(first, [sent])).status]).toEqual([sent, 404])
    expect(await answersOf(second)).toEqual(['Mine'])
    expect(await answersOf(first)).toEqual([])
  })

  it('rejects a status that SRG requirements do not have', async () => {
    const made = await makeComponent(guidance(), owner, { projectId, kind: 'srg' })
    await change(made.id, QUESTIONS)
    const { body } = await owner.call('GET', `/components/${made.id}`)
    const [question] = questionsAnswer.parse(body).additional_questions
    const sent = [{ additional_question_id: question?.id, answer: 'https://example.org/' }]
    const { status, body: refused } = await put(made.rules[0], sent)
    expect([status, refused]).toMatchObject([
      422,
      { errors: [{ message: 'A requirement of an SRG has no additional answers' }] },
    ])
  })

  it('is deleted with its question and kept when the question changes', async () => {
    const made = await component()
    const [ruleId] = made.rules
    await put(ruleId, [
      { additional_question_id: made.url, answer: 'https://example.org/' },
      { additional_question_id: made.dropdown, answer: 'flat' },
    ])
    await change(made.id, [
      { id: made.url, _destroy: true },
      { id: made.dropdown, name: 'Which?', options: ['round'] },
    ])
    expect(await answersOf(ruleId)).toEqual(['flat'])
    // A stored answer that is no longer an option is kept, but nobody can choose it again.
    expect((await put(ruleId, [], { title: 'Another' })).status).toBe(200)
    expect((await put(made.rules[1], [{ additional_question_id: made.dropdown, answer: 'flat' }])).status).toBe(422)
  })
})
