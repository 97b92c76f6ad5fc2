import Sqlite from 'libsql'
import { Client } from 'pg'
import { vi } from 'vitest'

/**
 * Counts the statements of an action that only reads; they still run. Other work of the service can only add
 * statements, so the smallest of several counts is returned.
 */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  for (let time = 0; time < 3; time += 1) counts.push(await countOnce(work))
  return Math.min(...counts)
}

async function countOnce(work: () => Promise<unknown>): Promise<number> {
  const memory = new Sqlite(':memory:')
  const statement = prototypeOf(memory.prepare('select 1'))
  memory.close()
  const spies = [vi.spyOn(Client.prototype, 'query'), vi.spyOn(statement, 'all'), vi.spyOn(statement, 'run')]
  try {
    await work()
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** Spies on the prototype count the calls of all statements. */
function prototypeOf<T extends object>(value: T): T
function prototypeOf(value: object): unknown {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype
}
