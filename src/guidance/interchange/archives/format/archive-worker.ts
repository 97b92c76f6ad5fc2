import { z } from 'zod'
import { serveParts } from '../../../../platform/threads/reading-thread.ts'
import { readArchiveHere } from './read-archive.ts'

const task = z.string()

serveParts((file) => readArchiveHere(task.parse(file)))
