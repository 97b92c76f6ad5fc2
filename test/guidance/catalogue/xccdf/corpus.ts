import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CORPUS } from '../../../support/corpus.ts'

export const XCCDF = join(CORPUS, 'xccdf')
export const HOSTILE = join(CORPUS, 'hostile')

export const isPresent = [join(XCCDF, 'expect.json'), join(HOSTILE, 'hostile.json')].every((file) => existsSync(file))

/** Other readers keep what XCCDF 1.2 puts before the ids of DISA. */
export function withoutDisa<T extends string | null>(id: T): string | T {
  return id === null ? id : id.replace(/^xccdf_mil\.disa\.stig_(?:benchmark|group|rule)_/, '')
}

/** Reads a list that lies beside the corpus; empty if the corpus is absent. */
export function listOf<T>(file: string, shape: z.ZodType<T>): readonly T[] {
  if (!isPresent) return []
  return z.array(shape).parse(JSON.parse(readFileSync(file, 'utf8')))
}
