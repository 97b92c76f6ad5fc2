// @module-tag database

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Writer } from '../../../src/guidance/database/transaction.ts'
import { insertUser } from '../../../src/guidance/identity/users/writer.ts'
import { SYSTEM } from '../../../src/http/caller.ts'
import { secretIn } from '../../support/accounts.ts'
import { sendGood, storeWith } from '../../support/catalogue.ts'
import { guidanceService, PASSWORD } from '../../support/guidance.ts'
import { xccdfDocument } from '../../support/xccdf-document.ts'
import { newScene, proposeGood } from '../authoring/relocations/scene.ts'

// Two who come at once rarely meet. Here one has written and not committed yet when the other comes,
// who has to wait, and then to see what was written.

const guidance = guidanceService()

/** The answer to what is asked while `work` is written, but not committed. */
async function askedBeside<T>(work: (writer: Writer) => Promise<unknown>, ask: () => Promise<T>): Promise<T> {
  const { database } = guidance().service.guidance
  const { answer } = await database.transact(async (writer) => {
    await work(writer)
    const over = new AbortController()
    const answer = ask().finally(() => {
      over.abort()
    })
    while (!over.signal.aborted && !(await somebodyWaits())) await sleep(10)
    return { answer }
  })
  return answer
}

/** SQLite has one writer at a time: it is enough to be there. */
async function somebodyWaits(): Promise<boolean> {
  const { dialect, read } = guidance().service.guidance.database
  if (dialect === 'sqlite') return sleep(50, true)
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(read)
  return rows.length > 0
}

it('Two setups at the same moment make one administrator', async () => {
  const { firstSteps } = guidance().service.guidance
  const token = firstSteps !== null && 'link' in firstSteps ? secretIn(firstSteps.link) : ''
  const user = { name: 'Second', email: 'second@example.org', password: PASSWORD }
  const first = { name: 'First', email: 'first@example.org', passwordHash: null, confirmed: true }
  const answer = await askedBeside(
    async (writer) => {
      await writer.lock('users', 0)
      await insertUser(writer, { ...first, admin: true }, { actor: SYSTEM, title: 'Could not add a person.' })
    },
    () => guidance().nobody.call('POST', '/api/setup', { body: { token, user } }),
  )
  expect(answer).toMatchObject({ status: 422, body: { code: 'link_invalid' } })
})

it('A proposal cannot be withdrawn while it is being accepted', async () => {
  const { author, source } = await newScene(guidance())
  const id = await proposeGood(author, source.rules[0] ?? 0)
  const answer = await askedBeside(
    async (writer) => {
      await writer.lock('component', source.id)
      await writer
        .updateTable('requirement_relocations')
        .set({ executed_at: new Date().toISOString() })
        .where('id', '=', id)
        .execute()
    },
    () => author.call('DELETE', `/requirement_relocations/${id}`),
  )
  expect(answer.status).toBe(404)
})

it('A second import of a benchmark waits for the first', async () => {
  const admin = await guidance().signUp('Root', { admin: true })
  const teapot = xccdfDocument()
  const answer = await askedBeside(
    (writer) => storeWith(writer, teapot),
    () => sendGood(admin, teapot),
  )
  expect([answer.imported, answer.already_imported.length]).toEqual([[], 1])
})
