// @module-tag database

import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../../src/guidance/database/database.ts'
import { freshDatabase } from '../../support/fresh-database.ts'

it('Slow statements are counted and logged without their values', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  const { url, dataDir } = await freshDatabase()
  const database = await openDatabase({ url, dataDir, log, slowMs: 1 })
  onTestFinished(() => database.close())
  const before = database.statements.figures
  const many = database.read.selectFrom('users as a')
  await many.select('a.id').where('a.email', '=', 'a-secret@example.org').execute()
  expect(database.statements.figures.count).toBe(before.count + 1)
  expect(database.statements.figures.ms).toBeGreaterThan(before.ms)
  // Longer than a millisecond on any machine: what is bound is large.
  const large = 'a-secret'.repeat(500_000)
  await many.select('a.id').where('a.email', '=', large).execute()
  expect(database.statements.figures.slow).toBeGreaterThan(0)
  expect(lines.join('')).toMatch(/"statement":"select .+ from .+users.+","msg":"A statement is slow"/)
  expect(lines.join('')).not.toContain('a-secret')
})
