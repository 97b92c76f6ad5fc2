import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { backupName, removeOldBackups } from '../../src/commands/backups/old-backups.ts'
import { temporaryFolder } from '../support/folder.ts'

it('Of the backups in a folder, the latest stay, with drafts of this day and files of others', async () => {
  const folder = await temporaryFolder()
  const days = ['2026-01-09', '2026-01-10', '2025-12-31', '2026-02-01']
  const [first = '', second = '', third = '', last = ''] = days.map((day) => backupName(new Date(`${day}T12:00:00.5Z`)))
  expect(last).toBe('parapet-20260201T120000Z.zip')
  const [draft, abandoned] = [`.${last}.12.tmp`, `.${first}.12.tmp`]
  const others = ['parapet-mine.zip', 'copy of parapet-20260101T120000Z.zip']
  for (const name of [first, second, third, last, draft, abandoned, ...others]) await writeFile(join(folder, name), '')
  const longAgo = new Date(Date.now() - 25 * 3_600_000)
  await utimes(join(folder, abandoned), longAgo, longAgo)
  await mkdir(join(folder, 'older'))
  expect(await removeOldBackups(folder, 2)).toBe(2)
  expect((await readdir(folder)).sort()).toEqual([draft, second, last, ...others, 'older'].sort())
})
