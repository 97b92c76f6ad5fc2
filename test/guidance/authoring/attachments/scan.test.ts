import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requireClean } from '../../../../src/guidance/authoring/attachments/scan.ts'
import { createLog } from '../../../../src/platform/log.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { refusalOf } from '../../../support/refusal.ts'

it('A scanner that does not end is ended with all that it has started, and one that is missing refuses', async () => {
  const program = join(await temporaryFolder(), 'scan')
  await writeFile(program, '#!/bin/sh\nsleep 1000 &\nsleep 1000\n')
  await chmod(program, 0o700)
  const log = createLog('silent')
  const slow = await refusalOf(() => requireClean('/dev/null', 'a.txt', { command: [program], log, deadlineMs: 200 }))
  const missing = await refusalOf(() => requireClean('/dev/null', 'a.txt', { command: ['/nowhere/scan'], log }))
  expect([slow.code, missing.code]).toEqual(['scan_unavailable', 'scan_unavailable'])
})
