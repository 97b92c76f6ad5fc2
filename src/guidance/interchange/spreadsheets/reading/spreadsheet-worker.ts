import { z } from 'zod'
import { serveParts } from '../../../../platform/threads/reading-thread.ts'
import { toParts } from './records.ts'
import { readRows } from './rows.ts'

const task = z.string()

serveParts(async function* (file) {
  yield* toParts(await readRows(task.parse(file)))
})
