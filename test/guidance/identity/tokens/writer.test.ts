// @module-tag database

import { describe, expect, it } from 'vitest'
import { mintToken } from '../../../../src/guidance/identity/tokens/format.ts'
import { insertToken } from '../../../../src/guidance/identity/tokens/writer.ts'
import { deleteUser } from '../../../../src/guidance/identity/users/writer.ts'
import { SYSTEM } from '../../../../src/http/caller.ts'
import { dayIn, entriesOf } from '../../../support/guidance-records.ts'
import { guidanceService } from '../../../support/guidance.ts'

const guidance = guidanceService()

describe('A new token', () => {
  it('never exceeds the limit of 20, however many are added at the same time', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await guidance().person(`Many${round}`)
      const entries = await entriesOf(guidance(), async () => {
        const done = await Promise.allSettled(Array.from({ length: 30 }, () => add(id)))
        expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
      })
      expect(entries).toHaveLength(20)
    }
  })

  it('is refused for an account that is deleted at the same time', async () => {
    const { database } = guidance().service.guidance
    const { id } = await guidance().person('Gone')
    const by = { actor: SYSTEM, title: 'Refused.' }
    await database.transact((writer) => deleteUser(writer, { id }, by))
    await expect(add(id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

function add(userId: number): Promise<unknown> {
  const { database, keys } = guidance().service.guidance
  const token = { userId, raw: mintToken(), name: 'Script', scopes: ['read'], expires_at: dayIn(30), allowed_ips: [] }
  const by = { key: keys.token, actor: SYSTEM, title: 'Refused.' }
  return database.transact((writer) => insertToken(writer, token, by))
}
