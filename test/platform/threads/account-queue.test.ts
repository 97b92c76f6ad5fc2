// @module-tag node

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { AccountQueue } from '../../../src/platform/threads/account-queue.ts'
import { refusalOf } from '../../support/refusal.ts'

const [ANN, BOB, CEM, DEE] = [1, 2, 3, 4]

function gateOf(
  waiting: number,
  waitingEach: number,
): { gate: AccountQueue; inside: string[] } & { readonly come: (account: number, name: string) => void } {
  const gate = new AccountQueue({ atOnce: 2, waiting, waitingEach })
  const inside: string[] = []
  const come = (account: number, name: string): void => {
    void gate.enter(account).then(() => inside.push(name))
  }
  return { gate, inside, come }
}

describe('A gate', () => {
  it('leaves room for others, however many files one account sends', async () => {
    const { gate, inside, come } = gateOf(40, 5)
    for (const name of ['a1', 'a2', 'a3']) come(ANN, name)
    for (const name of ['b1', 'b2']) come(BOB, name)
    come(CEM, 'c1')
    await nextTurn()
    expect(inside).toEqual(['a1', 'b1'])
    const order = [ANN, BOB, ANN, CEM, BOB, ANN]
    for (const account of order) {
      gate.leave(account)
      await nextTurn()
    }
    expect(inside).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('is empty again once all have left', async () => {
    const { gate, inside, come } = gateOf(40, 5)
    for (let round = 1; round <= 3; round += 1) {
      for (const account of [ANN, BOB, CEM]) come(account, String(account))
      await nextTurn()
      for (const account of [ANN, BOB, CEM]) gate.leave(account)
      await nextTurn()
    }
    expect(inside).toHaveLength(9)
  })

  it('limits how many wait, of one account and of all', async () => {
    const { gate, come } = gateOf(3, 2)
    for (const name of ['a1', 'a2', 'a3']) come(ANN, name)
    const refusal = await refusalOf(() => gate.enter(ANN))
    expect([refusal.code, refusal.message]).toMatchObject([
      'overloaded',
      'Too many of your files wait to be read. Try again later.',
    ])
    for (const name of ['b1', 'b2']) come(BOB, name)
    expect(await refusalOf(() => gate.enter(CEM))).toMatchObject({
      message: 'Too many files wait to be read. Try again later.',
    })
    gate.leave(BOB)
    gate.leave(BOB)
    await gate.enter(DEE)
  })
})
