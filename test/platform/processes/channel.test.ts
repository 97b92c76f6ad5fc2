// @module-tag node

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../../../src/platform/errors.ts'
import { Channel } from '../../../src/platform/processes/channel.ts'
import { EMPTY_PAYLOAD, type ExchangesOf } from '../../../src/platform/threads/protocol.ts'
import { refusalOf } from '../../support/refusal.ts'
import { wires } from '../../support/wires.ts'

const GREETING = { greet: { question: z.string(), answer: z.string() } }
const ENDING = { end: { question: EMPTY_PAYLOAD, answer: EMPTY_PAYLOAD } }
type Greeting = ExchangesOf<typeof GREETING>
type Ending = ExchangesOf<typeof ENDING>
const END = { protocol: ENDING, handlers: { end: () => null } }

function channels(greet: (name: string) => string | Promise<string>): {
  readonly asks: Channel<Greeting, Ending>
  readonly answers: Channel<Ending, Greeting>
} {
  const [wire, otherWire] = wires()
  return {
    asks: new Channel<Greeting, Ending>(wire, GREETING, END),
    answers: new Channel<Ending, Greeting>(otherWire, ENDING, { protocol: GREETING, handlers: { greet } }),
  }
}

describe('A channel between processes', () => {
  it('matches answers to questions in both directions', async () => {
    const { asks, answers } = channels((name) => `Hello ${name}`)
    const greetings = ['Ada', 'Bob'].map((name) => asks.ask('greet', name))
    expect(await Promise.all(greetings)).toEqual(['Hello Ada', 'Hello Bob'])
    expect(await answers.ask('end', null)).toBeNull()
  })

  it('passes a refusal on unchanged', async () => {
    const { asks } = channels(() => {
      throw new Refusal('rate_limited', 'Not so fast.', { retry_after: 7 })
    })
    const { code, message, members } = await refusalOf(() => asks.ask('greet', 'Ada'))
    expect([code, message, members]).toEqual(['rate_limited', 'Not so fast.', { retry_after: 7 }])
  })

  it('passes other errors on with their stack, and refuses answers of another shape', async () => {
    const faulty = channels(() => {
      throw new Error('A bug')
    })
    await expect(faulty.asks.ask('greet', 'Ada')).rejects.toThrow(/A bug\n.*channel\.test/s)
    const [wire, otherWire] = wires()
    const asks = new Channel<Greeting, Ending>(wire, GREETING, END)
    const protocol = { greet: { question: z.string(), answer: z.int() } }
    new Channel(otherWire, ENDING, { protocol, handlers: { greet: () => 7 } })
    await expect(asks.ask('greet', 'Ada')).rejects.toThrow(/string/)
  })

  it('fails if the other process has ended, or ends before it answers', async () => {
    const { asks } = channels(() => new Promise(() => undefined))
    const waiting = expect(asks.ask('greet', 'Ada')).rejects.toThrow(/has ended/)
    asks.close()
    await waiting
    await expect(asks.ask('greet', 'Bob')).rejects.toThrow(/has ended/)
  })
})
