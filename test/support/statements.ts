import Sqlite from 'libsql'
import { Client } from 'pg'
import { vi } from 'vitest'

/** How many statements reach either database while something is done; all of them are still run. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const memory = new Sqlite(':memory:')
  const statement = prototypeOf(memory.prepare('select 1'))
  memory.close()
  const spies = [
    vi.spyOn(Client.prototype, 'query'),
    vi.spyOn(statement, 'all'),
    vi.spyOn(statement, 'run'),
  ]
  try {
    await work()
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** Where all statements have their methods from. */
function prototypeOf<T extends object>(value: T): T
function prototypeOf(value: object): unknown {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype
}
