// @module-tag database

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { commentRow } from '../../../../src/guidance/authoring/reviews/records/rows.ts'
import type { Review } from '../../../../src/guidance/authoring/reviews/records/schemas.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type Answer } from '../../../support/guidance.ts'
import { refusalOf, reviewOf, ReviewTeam, type Team } from '../../../support/review-team.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

type Body = Readonly<Record<string, unknown>>

const FIX = 'Open the file.\nSet deny = 3.\nSave the file.'

async function newRule(): Promise<{ readonly componentId: number; readonly rule: number; readonly other: number }> {
  const { id: componentId, rules } = await team.component()
  const [rule = 0, other = 0] = rules
  await edit(rule, { fixtext: FIX })
  return { componentId, rule, other }
}

function edit(rule: number, changes: Body): Promise<Answer> {
  return team.people.author.client.call('PUT', `/rules/${rule}`, { body: { rule: changes } })
}

function suggest(rule: number, suggestion: Body, comment = 'Better so.'): Promise<Review> {
  return team.comment(team.people.viewer, rule, { comment, suggestion })
}

function post(rule: number, review: Body): Promise<Answer> {
  const body = { review: { action: 'comment', ...review } }
  return team.people.viewer.client.call('POST', `/rules/${rule}/reviews`, { body })
}

function accept(id: number, body: Body = {}, who: keyof Team = 'author'): Promise<Answer> {
  return team.people[who].client.call('POST', `/reviews/${id}/accept`, { body })
}

const rule = z.looseObject({
  fixtext: z.string().nullable(),
  lock_version: z.int(),
  checks_attributes: z.array(z.looseObject({ content: z.string().nullable() })),
  disa_rule_descriptions_attributes: z.array(z.looseObject({ vuln_discussion: z.string().nullable() })),
  histories: z.array(z.looseObject({ comment: z.string().nullable(), name: z.string() })),
})

async function read(id: number): Promise<z.infer<typeof rule>> {
  return rule.parse((await team.people.author.client.call('GET', `/rules/${id}`)).body)
}

async function rowOf(id: number): Promise<z.infer<typeof commentRow>> {
  const { body } = await team.people.viewer.client.call('GET', `/reviews/${id}`)
  return z.looseObject({ review: commentRow }).parse(body).review
}

describe('A comment with a suggested text', () => {
  it('keeps the text that it changes, and belongs to the section of the field', async () => {
    const { rule: id } = await newRule()
    const text = FIX.replace('3', '5')
    const posted = await suggest(id, { field: 'fixtext', text })
    expect(posted).toMatchObject({ section: 'fixtext', comment: 'Better so.' })
    expect(posted.suggestion).toEqual({ field: 'fixtext', text, base: FIX, accepted_text: null })
    expect((await rowOf(posted.id)).proposal).toMatchObject({ state: 'applies', current: FIX, proposed: text })
  })

  it('is edited by its author with its text, which must be another one that the field can hold', async () => {
    const { rule: id } = await newRule()
    const first = await suggest(id, { field: 'fixtext', text: FIX.replace('3', '5') })
    const text = FIX.replace('3', '4')
    const put = (review: Body, reviewId = first.id): Promise<Answer> =>
      team.people.viewer.client.call('PUT', `/reviews/${reviewId}`, { body: { review } })
    expect((await put({ comment: 'Rather four.', suggested_text: text })).status).toBe(200)
    expect(await rowOf(first.id)).toMatchObject({
      comment: 'Rather four.',
      suggestion: { text, base: FIX },
      proposal: { state: 'applies', proposed: text },
    })
    expect((await put({ comment: 'Four.' })).status).toBe(200)
    expect((await rowOf(first.id)).suggestion).toMatchObject({ text })
    const plain = await team.comment(team.people.viewer, id, { comment: 'Why?' })
    const refused = { status: 422, body: { errors: [{ field: 'suggested_text' }] } }
    expect(await put({ comment: 'Four.', suggested_text: FIX })).toMatchObject(refused)
    expect(await put({ comment: 'Why?', suggested_text: 'x' }, plain.id)).toMatchObject(refused)
    expect((await accept(first.id)).status).toBe(200)
    expect((await read(id)).fixtext).toBe(text)
    expect((await put({ comment: 'Five.', suggested_text: 'x' })).status).toBe(422)
  })

  it('needs no other words', async () => {
    const { rule: id } = await newRule()
    const posted = await suggest(id, { field: 'check_content', text: 'Look twice.' }, '')
    expect(posted.comment).toBe('Suggests another text: Check.')
    expect(posted).toMatchObject({ section: 'check_content', suggestion: { field: 'content' } })
  })

  it.each<[Body, string, string]>([
    [{ suggestion: { field: 'status', text: 'x' } }, 'suggestion.field', 'Field is not a text of a rule'],
    [{ suggestion: { field: 'fixtext', text: FIX } }, 'suggestion.text', 'Text must differ from the present text'],
    [{ suggestion: { field: 'title', text: ' ' } }, 'suggestion.text', "Title can't be blank"],
    [
      { suggestion: { field: 'title', text: 'x'.repeat(501) } },
      'suggestion.text',
      'Title is too long (maximum is 500 characters)',
    ],
    [{ comment: ' ' }, 'comment', "Comment can't be blank"],
  ])('is refused for %j', async (review, field, message) => {
    const { rule: id } = await newRule()
    const { status, body } = await post(id, review)
    expect({ status, body }).toMatchObject({ status: 422, body: { errors: [{ field, message }] } })
  })

  it('is refused as a reply, and on a rule that another one satisfies', async () => {
    const { rule: id, other } = await newRule()
    const suggestion = { field: 'fixtext', text: 'Other.' }
    const { id: answered } = await team.comment(team.people.viewer, id)
    expect((await post(id, { comment: 'So.', suggestion, responding_to_review_id: answered })).status).toBe(422)
    await team.satisfy(other, id)
    expect(refusalOf(await post(other, { suggestion }))).toContain('which satisfies this rule')
  })
})

describe('Accepting a suggested text', () => {
  it('changes the field, concurs with the comment and closes it, in the name of its reader', async () => {
    const { rule: id } = await newRule()
    const text = FIX.replace('3', '5')
    const { id: review } = await suggest(id, { field: 'fixtext', text })
    const answer = await accept(review, { response_comment: 'Thanks.' })
    expect(answer.status).toBe(200)
    const changed = reviewOf(answer)
    expect(changed).toMatchObject({ triage_status: 'concur', triager_display_name: 'Arthur' })
    expect(changed.adjudicated_at).not.toBeNull()
    expect(changed.suggestion?.accepted_text).toBe(text)
    expect(answer.body).toMatchObject({ response_review: { comment: 'Thanks.' } })
    const after = await read(id)
    expect(after.fixtext).toBe(text)
    expect(after.histories.at(-1)).toMatchObject({
      name: 'Arthur',
      comment: `Suggestion of Vera (comment ${review}), accepted as it stands`,
    })
    expect((await rowOf(review)).proposal?.state).toBe('accepted')
    expect(refusalOf(await accept(review))).toContain('already closed')
  })

  it('takes another text instead', async () => {
    const { rule: id } = await newRule()
    const { id: review } = await suggest(id, { field: 'vuln_discussion', text: 'Risky.' })
    const changed = reviewOf(await accept(review, { text: 'Very risky.' }))
    expect(changed.suggestion).toMatchObject({ text: 'Risky.', accepted_text: 'Very risky.' })
    const { disa_rule_descriptions_attributes: descriptions, histories } = await read(id)
    expect(descriptions[0]?.vuln_discussion).toBe('Very risky.')
    expect(histories.at(-1)?.comment).toContain('accepted with changes')
  })

  it('writes into the first check', async () => {
    const { rule: id } = await newRule()
    const { id: review } = await suggest(id, { field: 'content', text: 'Look twice.' })
    expect((await accept(review)).status).toBe(200)
    expect((await read(id)).checks_attributes.map(({ content }) => content)).toEqual(['Look twice.'])
  })

  it('joins suggestions for other lines of the same field', async () => {
    const { rule: id } = await newRule()
    const first = await suggest(id, { field: 'fixtext', text: FIX.replace('Open', 'Edit') })
    const second = await suggest(id, { field: 'fixtext', text: FIX.replace('Save the file', 'Save it') })
    await accept(first.id)
    const combined = 'Edit the file.\nSet deny = 3.\nSave it.'
    expect((await rowOf(second.id)).proposal).toMatchObject({ state: 'rebased', proposed: combined })
    await accept(second.id)
    expect((await read(id)).fixtext).toBe(combined)
  })

  it('refuses a suggestion for lines that have changed since, unless the text is sent', async () => {
    const { rule: id } = await newRule()
    const { id: review } = await suggest(id, { field: 'fixtext', text: FIX.replace('3', '5') })
    await edit(id, { fixtext: FIX.replace('3', '4') })
    expect((await rowOf(review)).proposal).toMatchObject({ state: 'stale', proposed: null })
    const refused = await accept(review)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'edit_conflict', text: FIX.replace('3', '4') })
    expect((await accept(review, { text: FIX.replace('3', '5') })).status).toBe(200)
  })

  it('remembers the text that its author saw', async () => {
    const { rule: id } = await newRule()
    await edit(id, { fixtext: FIX.replace('3', '4') })
    const { id: review } = await suggest(id, { field: 'fixtext', text: FIX.replace('3', '5'), base: FIX })
    expect((await rowOf(review)).proposal?.state).toBe('stale')
  })

  it('changes nothing if the rule or the comment has another version, or the section is locked', async () => {
    const { rule: id } = await newRule()
    const { id: review } = await suggest(id, { field: 'fixtext', text: 'Other.' })
    const { lock_version } = await read(id)
    expect((await accept(review, { rule_lock_version: lock_version - 1 })).status).toBe(409)
    expect((await accept(review, { lock_version: 7 })).status).toBe(409)
    await setRows(guidance(), 'rules', { locked_fields: '{"Fix":true}' }, { id })
    const refused = await accept(review)
    expect(refused).toMatchObject({ status: 409, body: { code: 'rule_locked' } })
    expect((await read(id)).fixtext).toBe(FIX)
    expect(await rowOf(review)).toMatchObject({ triage_status: 'pending', adjudicated_at: null, lock_version: 0 })
    await setRows(guidance(), 'rules', { locked_fields: '{}' }, { id })
    expect((await accept(review, { rule_lock_version: lock_version, lock_version: 0 })).status).toBe(200)
  })

  it('needs an open component, comments that are not final, and a suggestion', async () => {
    const { rule: id, componentId } = await newRule()
    const { id: plain } = await team.comment(team.people.viewer, id)
    expect(refusalOf(await accept(plain))).toContain('suggests no text')
    const { id: review } = await suggest(id, { field: 'fixtext', text: 'Other.' })
    expect((await accept(review, {}, 'viewer')).status).toBe(403)
    expect((await accept(review, {}, 'stranger')).status).toBe(404)
    await team.setPhase(componentId, { comment_phase: 'closed', closed_reason: 'finalized' })
    expect(refusalOf(await accept(review))).toContain('final')
    await team.setPhase(componentId, { comment_phase: 'closed', closed_reason: 'adjudicating' })
    await team.release(componentId)
    expect((await accept(review)).status).toBe(403)
    expect((await accept(review, {}, 'site')).status).toBe(200)
  })
})

describe('A comment on a rule that has changed since', () => {
  it('has a mark if the text of its section changed, or any text if it has no section', async () => {
    const { rule: id, other } = await newRule()
    const post = (section: string | null): Promise<Review> => team.comment(team.people.viewer, id, { section })
    const onFix = await post('fixtext')
    const onCheck = await post('check_content')
    const onRule = await post(null)
    const elsewhere = await team.comment(team.people.viewer, other)
    const changed = async (): Promise<readonly boolean[]> =>
      Promise.all([onFix, onCheck, onRule, elsewhere].map(async (comment) => (await rowOf(comment.id)).changed_since))
    expect(await changed()).toEqual([false, false, false, false])
    await edit(id, { status: 'Applicable - Configurable' })
    expect(await changed()).toEqual([false, false, false, false])
    await edit(id, { fixtext: '{"field":"checks_attributes.1"' })
    expect(await changed()).toEqual([true, false, true, false])
    const [check] = z.array(z.looseObject({ id: z.int() })).parse((await read(id)).checks_attributes)
    await edit(id, { checks_attributes: [{ id: check?.id, content: 'Look again.' }] })
    expect(await changed()).toEqual([true, true, true, false])
  })
})
