import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../../src/guidance/database/database.ts'
import type { Writer } from '../../../../src/guidance/database/transaction.ts'
import {
  dropLinks,
  findLink,
  LINK_MS,
  makeLink,
  useLink,
  type NewLink,
} from '../../../../src/guidance/identity/links/links.ts'
import { ago, setRows } from '../../../support/guidance-records.ts'
import { guidanceService } from '../../../support/guidance.ts'

const guidance = guidanceService()
const key = randomBytes(32)

describe('A link', () => {
  it('can be read any number of times and used once', async () => {
    const { id: userId } = await guidance().person('Ada')
    const email = 'somewhere@example.org'
    const secret = await make({ purpose: 'confirm_email', userId, email })
    const shown = { purpose: 'confirm_email', secret } as const
    const { read } = database()
    for (let time = 0; time < 2; time += 1) expect(await findLink(read, key, shown)).toEqual({ userId, email })
    expect(await transact((writer) => useLink(writer, key, shown))).toEqual({ userId, email })
    expect(await transact((writer) => useLink(writer, key, shown))).toBeNull()
    expect(await findLink(read, key, shown)).toBeNull()
  })

  it('is used by one of many simultaneous requests', async () => {
    const { id: userId } = await guidance().person('Ben')
    const secret = await make({ purpose: 'unlock', userId, email: null })
    const found = await Promise.all(
      Array.from({ length: 8 }, () => transact((writer) => useLink(writer, key, { purpose: 'unlock', secret }))),
    )
    expect(found.filter((link) => link !== null)).toEqual([{ userId, email: null }])
  })

  it('remains valid if the transaction that uses it fails', async () => {
    const { id: userId } = await guidance().person('Cleo')
    const secret = await make({ purpose: 'unlock', userId, email: null })
    const shown = { purpose: 'unlock', secret } as const
    const failing = transact(async (writer) => {
      await useLink(writer, key, shown)
      throw new Error('Something else went wrong')
    })
    await expect(failing).rejects.toThrow('Something else')
    expect(await findLink(database().read, key, shown)).not.toBeNull()
  })

  it('requires its purpose, its secret and the same key', async () => {
    const { id: userId } = await guidance().person('Dora')
    const secret = await make({ purpose: 'unlock', userId, email: null })
    const { read } = database()
    expect(await findLink(read, key, { purpose: 'reset_password', secret })).toBeNull()
    expect(await findLink(read, key, { purpose: 'unlock', secret: `${secret}x` })).toBeNull()
    expect(await findLink(read, randomBytes(32), { purpose: 'unlock', secret })).toBeNull()
    for (const purpose of ['setup', 'confirm_email'] as const)
      expect(await transact((writer) => useLink(writer, key, { purpose, secret }))).toBeNull()
  })

  it('replaces only the one of the same purpose and person', async () => {
    const { id: emil } = await guidance().person('Emil')
    const { id: fred } = await guidance().person('Fred')
    const first = await make({ purpose: 'unlock', userId: emil, email: null })
    const others = [
      await make({ purpose: 'unlock', userId: fred, email: null }),
      await make({ purpose: 'setup', userId: null, email: null }),
    ]
    const second = await make({ purpose: 'unlock', userId: emil, email: null })
    expect(await isThere('unlock', first)).toBe(false)
    expect(await isThere('unlock', second)).toBe(true)
    expect(await isThere('unlock', others[0])).toBe(true)
    expect(await isThere('setup', others[1])).toBe(true)
    await transact((writer) => dropLinks(writer, { purpose: 'setup', userId: null }))
    expect(await isThere('setup', others[1])).toBe(false)
    expect(await isThere('unlock', second)).toBe(true)
  })

  it.each([
    ['reset_password', 6],
    ['confirm_email', 72],
    ['unlock', 24],
    ['setup', 24],
  ] as const)('for %s lives for %d hours', async (purpose, hours) => {
    expect(LINK_MS[purpose]).toBe(hours * 3_600_000)
    const { id } = await guidance().person(`Gus ${purpose}`, { email: `${purpose}@example.org` })
    const secret = await make({ purpose, userId: purpose === 'setup' ? null : id, email: null })
    await setRows(guidance(), 'one_time_links', { expires_at: ago(0) })
    expect(await isThere(purpose, secret)).toBe(false)
    expect(await transact((writer) => useLink(writer, key, { purpose, secret }))).toBeNull()
  })

  it('is stored as a digest', async () => {
    const { id: userId } = await guidance().person('Hal')
    const secret = await make({ purpose: 'unlock', userId, email: null })
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    const rows = await database().read.selectFrom('one_time_links').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('is deleted with the account', async () => {
    const { id: userId } = await guidance().person('Ida')
    const secret = await make({ purpose: 'unlock', userId, email: null })
    await transact((writer) => writer.deleteFrom('users').where('id', '=', userId).execute())
    expect(await isThere('unlock', secret)).toBe(false)
  })
})

function database(): Database {
  return guidance().service.guidance.database
}

function transact<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
  return database().transact(work)
}

function make(link: NewLink): Promise<string> {
  return transact((writer) => makeLink(writer, key, link))
}

async function isThere(purpose: NewLink['purpose'], secret = ''): Promise<boolean> {
  return (await findLink(database().read, key, { purpose, secret })) !== null
}
