import { z } from 'zod'
import { serveParts } from '../reading-thread.ts'
import { readArchiveHere } from './read-archive.ts'

const task = z.string()

serveParts((file) => readArchiveHere(task.parse(file)))
