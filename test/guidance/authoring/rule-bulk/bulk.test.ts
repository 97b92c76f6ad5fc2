import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { guidanceService, signedIn, type Answer } from '../../../support/guidance.ts'

const guidance = guidanceService()
const owner = signedIn(guidance, 'Owner')
let projectId: number

beforeAll(async () => {
  projectId = await guidance().project(owner)
})

function makeTeapot(): Promise<MadeComponent> {
  return makeComponent(guidance(), owner, { projectId })
}

function put(id: number | undefined, rule: object): Promise<Answer> {
  return owner.call('PUT', `/rules/${id ?? 0}`, { body: { rule } })
}

async function fieldOf(id: number | undefined, field: string): Promise<unknown> {
  const { body } = await owner.call('GET', `/rules/${id ?? 0}`)
  return z.looseObject({}).parse(body)[field]
}

const outcome = z.looseObject({ replacement_id: z.int().nullable() })

const excerpt = z.object({
  rules: z.array(z.object({ fields: z.array(z.object({ before: z.string(), after: z.string(), count: z.int() })) })),
})

const hit = z.object({
  at: z.int(),
  lead: z.string(),
  before: z.string(),
  after: z.string(),
  trail: z.string(),
})

const preview = z.object({
  rules: z.array(z.object({ lock_version: z.int(), fields: z.array(z.object({ hits: z.array(hit) })) })),
})

describe('POST /components/{id}/find', () => {
  it('finds a literal text in any letter case', async () => {
    const { id, rules } = await makeTeapot()
    await put(rules[1], { vendor_comments: 'Ünder 100% (a.b)*' })
    const find = async (text: string): Promise<readonly unknown[]> => {
      const { body } = await owner.call('POST', `/components/${id}/find`, { body: { find: text } })
      return z
        .array(z.looseObject({ id: z.int() }))
        .parse(body)
        .map((rule) => rule.id)
    }
    expect(await find('üNDER 100% (A.B)*')).toEqual([rules[1]])
    expect(await find('.*')).toEqual([])
    expect(await find('the lid')).toEqual(rules)
    const blank = await owner.call('POST', `/components/${id}/find`, { body: { find: '' } })
    expect(blank.status).toBe(422)
    expect((await owner.call('POST', `/components/${id}/find`, { body: {} })).status).toBe(400)
  })
})

describe('POST /components/{id}/replace', () => {
  it('previews, replaces, skips locked rules, and undoes except for later edits', async () => {
    const { id, rules } = await makeTeapot()
    const [first, second, third] = rules
    for (const rule of rules) await put(rule, { title: 'A lid, a Lid', fixtext: 'lid' })
    await owner.call('PATCH', `/rules/${third ?? 0}/section_locks`, { body: { section: 'Title', locked: true } })
    const send = (body: object): Promise<Answer> => owner.call('POST', `/components/${id}/replace`, { body })
    const wanted = { find: 'lid', replace: '$& [x]', fields: ['title', 'fixtext'] }
    const preview = await send({ ...wanted, dry_run: true })
    const counts = { rules: 3, fields: 5, occurrences: 7, skipped: 1 }
    expect(preview).toMatchObject({
      status: 200,
      body: {
        dry_run: true,
        replacement_id: null,
        counts,
        skipped: [{ id: third, field: 'title', reason: 'section_locked' }],
      },
    })
    expect(await fieldOf(first, 'title')).toBe('A lid, a Lid')
    const done = await send(wanted)
    expect(done.body).toMatchObject({ dry_run: false, counts })
    expect(await fieldOf(first, 'title')).toBe('A $& [x], a $& [x]')
    expect(await fieldOf(third, 'title')).toBe('A lid, a Lid')
    await put(second, { title: 'Mine' })
    const number = outcome.parse(done.body).replacement_id ?? 0
    const undo = (): Promise<Answer> => owner.call('POST', `/components/${id}/replace/${number}/undo`)
    expect(await undo()).toMatchObject({
      status: 200,
      body: { skipped: [{ id: second, field: 'title', reason: 'edited_since' }] },
    })
    expect(await fieldOf(first, 'title')).toBe('A lid, a Lid')
    expect(await fieldOf(second, 'title')).toBe('Mine')
    expect(await fieldOf(second, 'fixtext')).toBe('lid')
    expect((await undo()).status).toBe(422)
    const foreign = await makeTeapot()
    const path = `/components/${foreign.id}/replace/${number}/undo`
    expect((await owner.call('POST', path)).status).toBe(404)
  })

  it('shows only the replaced matches, however far apart they are', async () => {
    const { id, rules } = await makeTeapot()
    const far = 'Nothing of it stands here. '.repeat(10)
    await put(rules[0], { fixtext: `Lift the lid. ${far}The LID is hot, a Cover too. ${far}lids` })
    const wanted = { find: 'lid', replace: 'Cover', fields: ['fixtext'], rule_ids: [rules[0]] }
    const shown = async (body: object): Promise<z.infer<typeof excerpt>> => {
      const answer = await owner.call('POST', `/components/${id}/replace`, { body })
      return excerpt.parse(answer.body)
    }
    const before = [
      `Lift the lid. ${far.slice(0, 58)}`,
      `${far.slice(-56)}The LID is hot, a Cover too. ${far.slice(0, 38)}`,
      `${far.slice(-60)}lids`,
    ].join(' … ')
    const expected = [{ before, after: before.replaceAll(/lid/gi, 'Cover'), count: 3 }]
    const preview = await shown({ ...wanted, dry_run: true })
    expect(preview.rules.flatMap((rule) => rule.fields)).toEqual(expected)
    const done = await shown(wanted)
    expect(done.rules.flatMap((rule) => rule.fields)).toEqual(expected)
    const same = await shown({ ...wanted, find: 'cover', dry_run: true })
    expect(same.rules).toEqual([])
  })

  it('shows each match as it will be, and replaces only the chosen ones', async () => {
    const { id, rules } = await makeTeapot()
    const text = 'A lid, the lids, a Lid.'
    await put(rules[0], { fixtext: text })
    const send = (body: object): Promise<Answer> => owner.call('POST', `/components/${id}/replace`, { body })
    const find = { find: 'lid', replace: 'cover', fields: ['fixtext'], rule_ids: [rules[0]] }
    const seen = preview.parse((await send({ ...find, dry_run: true })).body).rules[0]
    expect(seen?.fields[0]?.hits).toEqual([
      { at: 2, lead: 'A ', before: 'lid', after: 'cover', trail: ', the lids, a Lid.' },
      { at: 11, lead: 'A lid, the ', before: 'lid', after: 'cover', trail: 's, a Lid.' },
      { at: 19, lead: 'A lid, the lids, a ', before: 'Lid', after: 'cover', trail: '.' },
    ])
    const chosen = (at: readonly number[], lock_version: number): object => ({
      only: [{ rule_id: rules[0], lock_version, texts: [{ field: 'fixtext', check_id: null, at }] }],
    })
    const version = seen?.lock_version ?? 0
    expect((await send({ ...find, ...chosen([3], version) })).status).toBe(422)
    const done = await send({ ...find, ...chosen([2, 19], version), comment: 'The new word.' })
    expect(done.body).toMatchObject({ counts: { rules: 1, fields: 1, occurrences: 2 } })
    expect(await fieldOf(rules[0], 'fixtext')).toBe('A cover, the lids, a cover.')
    const outdated = await send({ ...find, ...chosen([13], version) })
    expect(outdated.status).toBe(422)
    expect(JSON.stringify(outdated.body)).toContain('The text has been changed since')
    const number = outcome.parse(done.body).replacement_id ?? 0
    await owner.call('POST', `/components/${id}/replace/${number}/undo`)
    expect(await fieldOf(rules[0], 'fixtext')).toBe(text)
    expect((await send({ ...find, only: [{ rule_id: 999_999, lock_version: 0, texts: [] }] })).status).toBe(422)
  })

  it('replaces whole words only, on request', async () => {
    const { id, rules } = await makeTeapot()
    await put(rules[0], { fixtext: 'log, logs, LOG_FILE, éLog, (log) analog' })
    const send = (body: object): Promise<Answer> => owner.call('POST', `/components/${id}/replace`, { body })
    const find = { replace: 'X', fields: ['fixtext'], rule_ids: [rules[0]], whole_words: true }
    await send({ ...find, find: 'log' })
    expect(await fieldOf(rules[0], 'fixtext')).toBe('X, logs, LOG_FILE, éLog, (X) analog')
    await send({ ...find, find: '(X' })
    expect(await fieldOf(rules[0], 'fixtext')).toBe('X, logs, LOG_FILE, éLog, X) analog')
  })

  it('replaces in checks of chosen rules, in the given letter case on request', async () => {
    const { id, rules } = await makeTeapot()
    const send = (body: object): Promise<Answer> => owner.call('POST', `/components/${id}/replace`, { body })
    const fields = ['check_content']
    const rule_ids = [rules[0]]
    const none = await send({ find: 'LOOK', replace: 'See', case_sensitive: true, fields })
    expect(none.status).toBe(422)
    const done = await send({ find: 'Look', replace: 'See', fields, rule_ids })
    expect(done.body).toMatchObject({ counts: { rules: 1, occurrences: 1 } })
    expect(JSON.stringify(await fieldOf(rules[0], 'checks_attributes'))).toContain('See whether')
    const unknown = await send({ find: 'a', replace: 'b', rule_ids: [999_999] })
    expect(unknown.status).toBe(422)
  })
})

describe('PATCH /components/{id}/rules/bulk', () => {
  it('changes all rules, or none and returns every obstacle', async () => {
    const { id, rules } = await makeTeapot()
    const send = (body: object): Promise<Answer> => owner.call('PATCH', `/components/${id}/rules/bulk`, { body })
    const done = await send({ rule_ids: rules, status: 'Not Applicable', rule_severity: 'high' })
    expect(done).toMatchObject({ status: 200, body: { changed: 3 } })
    expect(await fieldOf(rules[2], 'status')).toBe('Not Applicable')
    const reason = { status_justification: 'No lid.' }
    const justified = await send({ rule_ids: rules.slice(0, 2), ...reason })
    expect(justified).toMatchObject({ status: 200, body: { changed: 2 } })
    expect(await fieldOf(rules[1], 'status_justification')).toBe('No lid.')
    const { body } = await owner.call('GET', `/components/${id}/rules_picker`)
    expect(body).toMatchObject({ rules: [{ justified: true }, { justified: true }, { justified: false }] })
    await send({ rule_ids: [rules[1]], status_justification: null })
    expect(await fieldOf(rules[1], 'status_justification')).toBeNull()
    expect((await send({ rule_ids: rules, status_justification: 'a'.repeat(1001) })).status).toBe(422)
    expect((await send({ rule_ids: rules, locked: true })).status).toBe(422)
    const locked = await send({ rule_ids: [rules[0]], locked: true, comment: 'Agreed' })
    expect(locked).toMatchObject({ status: 200, body: { changed: 1 } })
    const refused = await send({ rule_ids: [...rules, 999_999], rule_severity: 'low' })
    expect(refused).toMatchObject({
      status: 422,
      body: {
        obstacles: [
          { id: 999_999, reason: 'not_found' },
          { id: rules[0], reason: 'locked' },
        ],
      },
    })
    expect(await fieldOf(rules[1], 'rule_severity')).toBe('high')
    expect(await put(rules[0], { title: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'rule_locked', locked: true },
    })
    expect((await send({ rule_ids: rules })).status).toBe(422)
    const turned = { rule_ids: rules, locked: false, rule_severity: 'low', comment: 'Again' }
    expect(await send(turned)).toMatchObject({ status: 200, body: { changed: 3 } })
    expect(await fieldOf(rules[0], 'locked')).toBe(false)
  })

  it('keeps the justification of an SRG’s requirement that is not applicable', async () => {
    const { id, rules } = await makeComponent(guidance(), owner, { projectId, kind: 'srg' })
    const send = (edit: object): Promise<Answer> =>
      owner.call('PATCH', `/components/${id}/rules/bulk`, { body: { rule_ids: rules, ...edit } })
    expect((await send({ status: 'Not Applicable', status_justification: 'No lid.' })).status).toBe(200)
    expect((await send({ rule_severity: 'low' })).status).toBe(200)
    expect((await send({ status_justification: null })).status).toBe(422)
    expect(await fieldOf(rules[0], 'status_justification')).toBe('No lid.')
  })
})

describe('POST /components/{id}/lock', () => {
  it('locks complete rules and names the others', async () => {
    const { id, rules } = await makeTeapot()
    const body = { review: { action: 'lock_control', comment: 'Done' } }
    const lock = (): Promise<Answer> => owner.call('POST', `/components/${id}/lock`, { body })
    expect(await lock()).toMatchObject({ status: 422, body: { toast: { variant: 'warning' } } })
    await put(rules[0], { status: 'Not Applicable' })
    await put(rules[1], { status: 'Applicable - Inherently Meets' })
    expect(await lock()).toMatchObject({
      status: 200,
      body: {
        toast: { title: 'Locked 1 rule.', variant: 'warning' },
        skipped: [{ id: rules[1] }, { id: rules[2] }],
      },
    })
    expect(await fieldOf(rules[0], 'reviews')).toMatchObject([{ action: 'lock_control' }])
  })
})

describe('Section locks', () => {
  it('are set on all unlocked rules, and an unknown section is refused', async () => {
    const { id, rules } = await makeTeapot()
    const path = `/components/${id}/lock_sections`
    expect((await owner.call('PATCH', path, { body: { sections: ['Titel'], locked: true } })).status).toBe(422)
    expect((await owner.call('PATCH', path, { body: { sections: ['Title', 'Fix'], locked: true } })).status).toBe(200)
    expect(await fieldOf(rules[2], 'locked_fields')).toEqual({ Title: true, Fix: true })
    expect((await owner.call('PATCH', path, { body: { sections: ['Title'], locked: false } })).status).toBe(200)
    for (const rule of rules) expect(await fieldOf(rule, 'locked_fields')).toEqual({ Fix: true })
    const answer = await owner.call('PATCH', `/rules/${rules[0] ?? 0}/section_locks`, {
      body: { section: 'nonsense', locked: true },
    })
    expect(answer).toMatchObject({ status: 422, body: { error: 'Invalid section: nonsense' } })
  })

  it('of one rule stay on sections that are not named', async () => {
    const [rule] = (await makeTeapot()).rules
    const send = (body: object, path = 'section_locks'): Promise<Answer> =>
      owner.call('PATCH', `/rules/${rule ?? 0}/${path}`, { body })
    await send({ sections: ['Title', 'Fix', 'Check', 'Status'], locked: true }, 'bulk_section_locks')
    await send({ section: 'Severity', locked: true })
    expect(await fieldOf(rule, 'locked_fields')).toEqual({
      Check: true,
      Fix: true,
      Severity: true,
      Status: true,
      Title: true,
    })
    await send({ section: 'Fix', locked: false })
    await send({ sections: ['Status', 'Severity'], locked: false }, 'bulk_section_locks')
    expect(await fieldOf(rule, 'locked_fields')).toEqual({ Title: true, Check: true })
    expect((await put(rule, { title: 'No' })).status).toBe(409)
    expect((await put(rule, { fixtext: 'Yes' })).status).toBe(200)
  })
})
