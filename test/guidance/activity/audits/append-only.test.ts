// @module-tag database

import { describe, expect, it } from 'vitest'
import { writeAudit } from '../../../../src/guidance/activity/audits/writer.ts'
import { SYSTEM } from '../../../../src/http/caller.ts'
import { freshDatabase } from '../../../support/fresh-database.ts'

const SUBJECT = { type: 'User', id: 7, name: 'Ada' }
const ALL = 'select action, audited_name, comment, changes from audits order by id'
const KEPT = [{ action: 'destroy', audited_name: 'Ada', comment: 'gone', changes: '[]' }]

describe('The audit trail', () => {
  it.each([
    `update audits set comment = 'forged'`,
    `update audits set comment = comment`,
    `update audits set name = 'somebody else' where id = 1`,
    'delete from audits',
    'delete from audits where id = 1',
  ])('refuses "%s" in the database itself', async (statement) => {
    const { open, run } = await freshDatabase()
    const database = await open()
    await database.transact((writer) =>
      writeAudit(writer, SYSTEM, { action: 'destroy', subject: SUBJECT, comment: 'gone' }),
    )
    await expect(run(statement)).rejects.toThrow('the audit trail is append-only')
    expect(await run(ALL)).toEqual(KEPT)
  })

  it('refuses truncation', async () => {
    const { open, run, url } = await freshDatabase()
    const database = await open()
    await database.transact((writer) =>
      writeAudit(writer, SYSTEM, { action: 'destroy', subject: SUBJECT, comment: 'gone' }),
    )
    // SQLite has no TRUNCATE: its parser refuses the word.
    await expect(run('truncate table audits')).rejects.toThrow(
      url === null ? 'syntax error' : 'the audit trail is append-only',
    )
    expect(await run(ALL)).toEqual(KEPT)
  })

  it('refuses changes by the service too', async () => {
    const { open } = await freshDatabase()
    const database = await open()
    await database.transact((writer) => writeAudit(writer, SYSTEM, { action: 'create', subject: SUBJECT }))
    const forge = database.transact((writer) => writer.updateTable('audits').set({ name: 'x' }).execute())
    await expect(forge).rejects.toThrow('append-only')
    const erase = database.transact((writer) => writer.deleteFrom('audits').execute())
    await expect(erase).rejects.toThrow('append-only')
  })

  it('has no entry of a transaction that was rolled back', async () => {
    const { open, run } = await freshDatabase()
    const database = await open()
    const failing = database.transact(async (writer) => {
      await writeAudit(writer, SYSTEM, { action: 'destroy', subject: SUBJECT })
      throw new Error('The work failed')
    })
    await expect(failing).rejects.toThrow('The work failed')
    expect(await run(ALL)).toEqual([])
  })

  it('has no entry of an update that changed nothing, unless it has a comment', async () => {
    const { open, run } = await freshDatabase()
    const database = await open()
    const update = { action: 'update', subject: SUBJECT, before: { a: 1 }, after: { a: 1 } } as const
    await database.transact((writer) => writeAudit(writer, SYSTEM, update))
    expect(await run(ALL)).toEqual([])
    await database.transact((writer) => writeAudit(writer, SYSTEM, { ...update, comment: 'x' }))
    await database.transact((writer) => writeAudit(writer, SYSTEM, { ...update, action: 'create' }))
    expect(await run(ALL)).toHaveLength(2)
  })
})
