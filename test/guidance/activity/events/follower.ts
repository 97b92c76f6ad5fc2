import { onTestFinished } from 'vitest'
import { recordEvents, type NewEvent } from '../../../../src/guidance/activity/events/record.ts'
import type { Database } from '../../../../src/guidance/database/database.ts'
import { SYSTEM } from '../../../../src/http/caller.ts'

export interface EventMessage {
  readonly id: number | null
  /** Null: a heartbeat. */
  readonly event: string | null
  readonly data: unknown
}

export interface Follower {
  readonly status: number
  /** Everything so far. */
  readonly messages: readonly EventMessage[]
  /** Kinds of the events, without heartbeats. */
  kinds(): readonly string[]
  /** Resolves when the service has ended the stream. */
  readonly over: Promise<void>
  stop(): void
}

/** Follows a stream over HTTP until the test has finished. */
export async function follow(url: string, headers: Readonly<Record<string, string>>): Promise<Follower> {
  const stopping = new AbortController()
  const response = await fetch(url, { headers, signal: stopping.signal })
  const messages: EventMessage[] = []
  const over = read(response, messages).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  const stop = (): void => {
    stopping.abort()
  }
  onTestFinished(stop)
  const kinds = (): string[] => messages.flatMap(({ event }) => (event === null ? [] : [event]))
  return { status: response.status, messages, kinds, over, stop }
}

async function read(response: Response, messages: EventMessage[]): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  const chunks: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of chunks ?? []) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    messages.push(...blocks.map(parseBlock))
  }
}

function parseBlock(block: string): EventMessage {
  const value = (name: string): string | undefined =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  const [id, data] = [value('id'), value('data')]
  return {
    id: id === undefined ? null : Number(id),
    event: value('event') ?? null,
    data: data === undefined ? null : JSON.parse(data),
  }
}

/** Records events past HTTP. */
export function happen(database: Database, ...events: readonly NewEvent[]): Promise<void> {
  return database.transact((writer) => recordEvents(writer, SYSTEM, events))
}

/** Something that happened to a rule. */
export function ruleUpdated(projectId: number, componentId: number, rule = 1): NewEvent {
  return { kind: 'rule.updated', projectId, componentId, data: { rule_id: rule } }
}
