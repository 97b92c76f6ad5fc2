// @module-tag database

import { createHash, randomBytes } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { insertAttachment } from '../../../../src/guidance/authoring/attachments/writer.ts'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { alter, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn, startGuidance, type Answer, type Client } from '../../../support/guidance.ts'

const guidance = guidanceService()
const ann = signedIn(guidance, 'Ann')
let projectId = 0
let made: MadeComponent

beforeAll(async () => {
  projectId = await guidance().project(ann)
  made = await makeComponent(guidance(), ann, { projectId })
})

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(700_000)])

function send(ruleId: number, file: string | Uint8Array, fileName: string, by: Client = ann): Promise<Answer> {
  return by.call('POST', `/rules/${ruleId}/attachments`, { form: { file, fileName } })
}

const answered = z.looseObject({ attachment: z.looseObject({ id: z.int() }) })

async function attached(ruleId: number, file: string | Uint8Array = 'a log', fileName = 'a.log'): Promise<number> {
  const { status, body } = await send(ruleId, file, fileName)
  expect([status, body]).toMatchObject([201, {}])
  return answered.parse(body).attachment.id
}

async function namesOf(ruleId: number): Promise<readonly string[]> {
  const { body } = await ann.call('GET', `/rules/${ruleId}/attachments`)
  return z
    .looseObject({ attachments: z.array(z.looseObject({ name: z.string() })) })
    .parse(body)
    .attachments.map(({ name }) => name)
}

describe('An attachment', () => {
  it('is downloaded byte by byte as an attachment, with the type of its content', async () => {
    const [rule = 0] = made.rules
    const id = await attached(rule, PNG, 'Größe 1.PNG')
    const { status, bytes, headers } = await ann.call('GET', `/attachments/${id}`, { headers: { Accept: '*/*' } })
    expect(status).toBe(200)
    expect(bytes.equals(PNG)).toBe(true)
    expect(headers['content-type']).toBe('image/png')
    expect(headers['content-disposition']).toMatch(/^attachment;/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    const { body } = await ann.call('GET', `/rules/${rule}/attachments`)
    const sha256 = createHash('sha256').update(PNG).digest('hex')
    expect(body).toMatchObject({
      attachments: [
        { id, name: 'Größe 1.PNG', media_type: 'image/png', bytes: PNG.length, sha256, author_name: 'Ann' },
      ],
    })
  })

  it('leaves the version of its rule, and is in its history', async () => {
    const [, rule = 0] = made.rules
    const { body: before } = await ann.call('GET', `/rules/${rule}`)
    const id = await attached(rule)
    expect((await ann.call('DELETE', `/attachments/${id}`)).status).toBe(200)
    expect((await ann.call('GET', `/attachments/${id}`)).status).toBe(404)
    expect((await ann.call('DELETE', `/attachments/${id}`)).status).toBe(404)
    const { body } = await ann.call('GET', `/rules/${rule}`)
    const version = (answer: unknown): number => z.looseObject({ lock_version: z.int() }).parse(answer).lock_version
    expect(version(body)).toBe(version(before))
    const begun = { action: 'create' }
    const added = { audited_changes: [{ field: 'attachments', prev_value: [], new_value: ['a.log'] }] }
    const removed = { audited_changes: [{ field: 'attachments', prev_value: ['a.log'], new_value: [] }] }
    expect(body).toMatchObject({ histories: [begun, added, removed] })
  })

  it.each([
    ['page.html', '<script>alert(1)</script>', 'unsupported_file_type'],
    ['logo.svg', '<svg onload="alert(1)"/>', 'unsupported_file_type'],
    ['page.png', '<script>alert(1)</script>', 'unsupported_file_type'],
    ['program.txt', Buffer.from('7f454c4602010100', 'hex'), 'unsupported_file_type'],
    ['macro.docm', 'PK\u0003\u0004', 'unsupported_file_type'],
    ['noending', 'text', 'unsupported_file_type'],
    ['empty.txt', '', 'empty_file'],
    ['large.log', Buffer.alloc(5_000_001, 'x'), 'too_large'],
  ])('is refused if it is %s', async (fileName, file, code) => {
    const [, , rule = 0] = made.rules
    const { status, body } = await send(rule, file, fileName)
    expect([status, body]).toMatchObject([code === 'too_large' ? 413 : 422, { code }])
    expect(await namesOf(rule)).toEqual([])
  })

  it('cannot be added to or removed from a locked rule', async () => {
    const { rules } = await makeComponent(guidance(), ann, { projectId, name: 'Locked' })
    const [rule = 0] = rules
    const id = await attached(rule)
    await setRows(guidance(), 'rules', { locked: 1 }, { id: rule })
    expect([await send(rule, 'more', 'b.txt'), await ann.call('DELETE', `/attachments/${id}`)]).toMatchObject([
      { status: 409, body: { code: 'rule_locked' } },
      { status: 409, body: { code: 'rule_locked' } },
    ])
    expect(await namesOf(rule)).toEqual(['a.log'])
  })

  it('is one of 20 of a rule, and of 50 MB of a component', async () => {
    const { rules } = await makeComponent(guidance(), ann, { projectId, name: 'Full' })
    const [rule = 0, other = 0] = rules
    const { database } = guidance().service.guidance
    const fill = (ruleId: number, count: number, content: Buffer): Promise<unknown> =>
      database.transact(async (writer) => {
        const file = { name: 'a.txt', mediaType: 'text/plain', sha256: '', content }
        const how = { file, author: { id: ann.id, name: 'Ann' }, createdAt: new Date().toISOString() }
        for (let index = 0; index < count; index += 1) await insertAttachment(writer, ruleId, how)
      })
    await fill(rule, 20, Buffer.from('x'))
    expect(await send(rule, 'x', 'x.txt')).toMatchObject({ status: 422, body: { errors: [{ field: 'file' }] } })
    await fill(other, 10, Buffer.alloc(4_999_998, 'x'))
    expect(await send(other, 'x', 'x.txt')).toMatchObject({ status: 422, body: { errors: [{ field: 'file' }] } })
  })

  it('goes with its rule and with its component, with all its bytes', async () => {
    const { id, rules } = await makeComponent(guidance(), ann, { projectId, name: 'Removed' })
    const [first = 0, second = 0] = rules
    const ids = [await attached(first), await attached(second)]
    expect((await ann.call('DELETE', `/rules/${first}`)).status).toBe(200)
    expect((await ann.call('GET', `/attachments/${ids[0] ?? 0}`)).status).toBe(404)
    expect((await ann.call('DELETE', `/components/${id}`)).status).toBe(200)
    const left = await guidance()
      .service.guidance.database.read.selectFrom('attachment_parts')
      .select('position')
      .where('attachment_id', 'in', ids)
      .execute()
    expect(left).toEqual([])
  })

  it('stays when the account of its author is removed', async () => {
    const bob = await guidance().person('Bob')
    await guidance().member(projectId, bob, 'author')
    const { rules } = await makeComponent(guidance(), ann, { projectId, name: 'Left' })
    const [rule = 0] = rules
    expect((await send(rule, 'by Bob', 'b.txt', await guidance().signIn(bob.email))).status).toBe(201)
    await alter(guidance(), (writer) => writer.deleteFrom('users').where('id', '=', bob.id).execute())
    const { body } = await ann.call('GET', `/rules/${rule}/attachments`)
    expect(body).toMatchObject({ attachments: [{ name: 'b.txt', author_name: 'Bob' }] })
  })
})

describe('A scanner', () => {
  /** A scanner that reports files with the word EICAR, writes down its arguments and variables, and can hang or fail. */
  const SCRIPT = [
    '#!/bin/sh',
    'echo "$# $1 $SERVICE_ATTACHMENT_SCAN" > "$(dirname "$0")/called"',
    'grep -q EICAR "$2" && exit 1',
    'grep -q BROKEN "$2" && exit 2',
    'exit 0',
  ].join('\n')

  it('refuses malware, and what could not be scanned', async () => {
    const folder = await temporaryFolder()
    const program = join(folder, 'scan')
    await writeFile(program, SCRIPT)
    await chmod(program, 0o700)
    const scanning = await startGuidance(folder, { SERVICE_ATTACHMENT_SCAN: `${program} --quiet` })
    try {
      const eve = await scanning.signUp('Eve')
      const { rules } = await makeComponent(scanning, eve, { projectId: await scanning.project(eve) })
      const [rule = 0] = rules
      expect(await send(rule, 'EICAR', 'a.txt', eve)).toMatchObject({
        status: 422,
        body: { code: 'attachment_infected' },
      })
      expect(await send(rule, 'BROKEN', 'a.txt', eve)).toMatchObject({
        status: 503,
        body: { code: 'scan_unavailable' },
      })
      expect((await send(rule, 'clean', 'a; touch x.txt', eve)).status).toBe(201)
      expect(await readFile(join(folder, 'called'), 'utf8')).toBe('2 --quiet \n')
      const { body } = await eve.call('GET', `/rules/${rule}/attachments`)
      expect(body).toMatchObject({ attachments: [{ name: 'a; touch x.txt' }] })
    } finally {
      await scanning.service.close()
    }
  })
})
