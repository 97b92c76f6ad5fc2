import { describe, expect, it } from 'vitest'
import { changeProven } from '../../../../src/guidance/identity/administration/administer.ts'
import { lockUser, setPassword } from '../../../../src/guidance/identity/credentials/credentials.ts'
import { NO_SESSION } from '../../../../src/guidance/identity/sessions/http-session.ts'
import { LocalSignIn } from '../../../../src/guidance/identity/sign-in/sign-in.ts'
import { UnknownAddresses } from '../../../../src/guidance/identity/sign-in/unknown-addresses.ts'
import { confirmAddress } from '../../../../src/guidance/identity/users/address.ts'
import { requireUser } from '../../../../src/guidance/identity/users/reader.ts'
import { deleteUser, updateUser } from '../../../../src/guidance/identity/users/writer.ts'
import { SYSTEM } from '../../../../src/http/caller.ts'
import { entriesOf } from '../../../support/guidance-records.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { refusalOf } from '../../../support/refusal.ts'

const BY = { actor: SYSTEM, title: 'Refused.' }
const ROUNDS = 5

const guidance = guidanceService()

describe('Writers of one account at the same time', () => {
  it('lose no change, even if they had read an older state', async () => {
    const { database } = guidance().service.guidance
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await guidance().person(`Edited${round}`)
      const user = await requireUser(database.read, id)
      const email = `moved${round}@example.org`
      const changes = [{ name: 'Changed' }, { slackUserId: 'U1' }, { admin: true }]
      await Promise.all([
        ...changes.map((change) => database.transact((writer) => updateUser(writer, user, { ...BY, changes: change }))),
        database.transact((writer) => confirmAddress(writer, user, { ...BY, email })),
      ])
      expect(await requireUser(database.read, id)).toMatchObject({
        name: 'Changed',
        slack_user_id: 'U1',
        admin: 1,
        email,
        search_key: `changed\n${email}`,
      })
    }
  })

  it('do not remove a lock set by an administrator with a new password', async () => {
    const { database } = guidance().service.guidance
    const { id } = await guidance().person('Fast')
    const user = await requireUser(database.read, id)
    await database.transact((writer) => lockUser(writer, user, { ...BY, by: 'administrator' }))
    const password = { actor: SYSTEM, passwordHash: 'x', keepSession: null }
    await database.transact((writer) => setPassword(writer, user, password))
    const { locked_by, password_hash } = await requireUser(database.read, id)
    expect({ locked_by, password_hash }).toEqual({ locked_by: 'administrator', password_hash: 'x' })
  })

  it('are refused if it needs another proof by then', async () => {
    const parts = guidance().service.guidance
    const { lockout } = parts.settings
    const unknownAddresses = new UnknownAddresses({ maximumAttempts: null, unlockMs: null })
    const local = new LocalSignIn({ ...parts, lockout, mustConfirm: false, unknownAddresses })
    const { id, name, email } = await guidance().person('Rising')
    const caller = { id, name, email, admin: true, provider: null, via: { kind: 'session', id: 1 } } as const
    const proofs = ['none', 'password'] as const
    let checks = 0
    const refusal = await refusalOf(() =>
      changeProven(parts, local, {
        id,
        claim: { caller, session: NO_SESSION, password: undefined },
        proofFor: () => proofs[checks++] ?? 'none',
        work: () => Promise.resolve(),
      }),
    )
    expect([refusal.code, checks]).toEqual(['incorrect_password', 2])
  })

  it('delete it once', async () => {
    const { database } = guidance().service.guidance
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await guidance().person(`Doomed${round}`)
      const user = await requireUser(database.read, id)
      const entries = await entriesOf(guidance(), async () => {
        const done = await Promise.allSettled(
          Array.from({ length: 6 }, () => database.transact((writer) => deleteUser(writer, user, BY))),
        )
        expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      })
      expect(entries).toMatchObject([{ action: 'destroy', auditable_id: id }])
    }
  })
})
