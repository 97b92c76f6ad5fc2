import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { storeSrg } from '../../../support/authoring.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type Client } from '../../../support/guidance.ts'
import type { SampleRule } from '../../../support/xccdf-document.ts'
import { create, createGood, newcomer, newScene, put, view, type Scene } from './scene.ts'

const guidance = guidanceService()

const QUESTIONS = [
  { name: 'Where?', question_type: 'url' },
  { name: 'Which lid?', question_type: 'dropdown', options: ['flat', 'round'] },
  { name: 'Why?', question_type: 'freeform' },
]

const asked = z.looseObject({
  additional_questions: z.array(z.looseObject({ id: z.int(), name: z.string() })),
  rules: z.array(
    z.looseObject({
      rule_id: z.string(),
      additional_answers_attributes: z.array(
        z.looseObject({ additional_question_id: z.int(), answer: z.string().nullable() }),
      ),
    }),
  ),
})

/** Answers by rule, each as `question: answer`. */
async function answersOf(client: Client, id: number): Promise<Readonly<Record<string, readonly string[]>>> {
  const { rules, additional_questions } = asked.parse(await view(client, id))
  const names = new Map(additional_questions.map((question) => [question.id, question.name]))
  return Object.fromEntries(
    rules.map(({ rule_id, additional_answers_attributes: answers }) => [
      rule_id,
      answers.map((givenAnswer) => `${names.get(givenAnswer.additional_question_id)}: ${givenAnswer.answer}`),
    ]),
  )
}

/** Asks of a component, and answers by rule what is given in the order of the questions. */
async function answer(
  { owner, made }: Scene,
  given: readonly (readonly (string | null)[])[],
): Promise<readonly number[]> {
  await put(owner, made.id, { additional_questions_attributes: QUESTIONS })
  const { additional_questions } = asked.parse(await view(owner, made.id))
  const ids = additional_questions.map(({ id }) => id)
  for (const [ruleIndex, answers] of given.entries()) {
    const rule = {
      additional_answers_attributes: answers.map((text, index) => ({
        additional_question_id: ids[index],
        answer: text,
      })),
    }
    const path = `/rules/${made.rules[ruleIndex] ?? 0}`
    expect((await owner.call('PUT', path, { body: { rule } })).status).toBe(200)
  }
  return ids
}

const ANSWERS = [
  ['https://example.org/1', 'flat', 'Because.'],
  ['https://example.org/2', null, null],
  [null, 'round', 'So.'],
]

describe('A copy of a component', () => {
  it('has questions of every kind with the answers of each rule', async () => {
    const scene = await newScene(guidance())
    const { owner, made, projectId } = scene
    const before = await answer(scene, ANSWERS)
    const id = await createGood(owner, projectId, { copy_component: true, id: made.id })
    const seen = asked.parse(await view(owner, id))
    expect(seen.additional_questions).toMatchObject(QUESTIONS.map((question) => ({ ...question, component_id: id })))
    for (const question of seen.additional_questions) expect(before).not.toContain(question.id)
    const expected = {
      '000001': ['Where?: https://example.org/1', 'Which lid?: flat', 'Why?: Because.'],
      '000002': ['Where?: https://example.org/2'],
      '000003': ['Which lid?: round', 'Why?: So.'],
    }
    expect(await answersOf(owner, id)).toEqual(expected)
    // Each goes its own way from here.
    const [url] = seen.additional_questions
    await put(owner, id, { additional_questions_attributes: [{ id: url?.id, _destroy: true }] })
    expect(await answersOf(owner, made.id)).toEqual(expected)
    expect(await answersOf(owner, id)).toMatchObject({ '000002': [] })
  })

  it('omits answers on deleted rules', async () => {
    const scene = await newScene(guidance())
    const { owner, made, projectId } = scene
    await answer(scene, ANSWERS)
    expect((await owner.call('DELETE', `/rules/${made.rules[1] ?? 0}`)).status).toBe(200)
    const id = await createGood(owner, projectId, { duplicate: true, id: made.id })
    expect(Object.keys(await answersOf(owner, id))).toEqual(['000001', '000003'])
    const { count } = await guidance()
      .service.guidance.database.read.selectFrom('additional_answers')
      .innerJoin('rules', 'rules.id', 'additional_answers.rule_id')
      .select((is) => is.fn.countAll<number>().as('count'))
      .where('rules.component_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(count).toBe(5)
  })

  it("of another author's released component has neither questions nor answers", async () => {
    const scene = await newScene(guidance())
    await answer(scene, ANSWERS)
    await setRows(guidance(), 'components', { released: 1 }, { id: scene.made.id })
    const client = await newcomer(guidance())
    const projectId = await guidance().project(client)
    const id = await createGood(client, projectId, { duplicate: true, id: scene.made.id })
    expect(await answersOf(client, id)).toEqual({ '000001': [], '000002': [], '000003': [] })
    expect(await view(client, id)).toMatchObject({ additional_questions: [] })
  })
})

describe('A copy onto a newer SRG', () => {
  const rule = (number: number): SampleRule => ({
    id: `SV-${number}r1_rule`,
    version: `SRG-TEA-00000${number}`,
    title: `Number ${number}`,
  })

  it('keeps the answers of the remaining rules only', async () => {
    const srgId = await storeSrg(guidance(), 'stig', [rule(1), rule(2), rule(3)])
    const newer = await storeSrg(guidance(), 'stig', [rule(1), rule(3), rule(4)])
    const scene = await newScene(guidance(), { srgId })
    const { owner, made, projectId } = scene
    await answer(scene, ANSWERS)
    const wanted = { duplicate: true, id: made.id, security_requirements_guide_id: newer }
    const { status, body } = await create(owner, projectId, wanted)
    expect(status).toBe(200)
    const { id } = z.looseObject({ id: z.int() }).parse(body)
    expect(await answersOf(owner, id)).toEqual({
      '000001': ['Where?: https://example.org/1', 'Which lid?: flat', 'Why?: Because.'],
      '000003': ['Which lid?: round', 'Why?: So.'],
      '000004': [],
    })
    expect(await view(owner, id)).toMatchObject({ additional_questions: QUESTIONS })
  })
})
