import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readUploadHere, type UploadItem } from '../../../../src/guidance/catalogue/uploads/upload.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { HOSTILE, isPresent } from './corpus.ts'

const shape = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      expect: z.enum(['accept', 'reject']),
      problem: z.string().optional(),
      message_should_name: z.array(z.string()).optional(),
      values: z
        .object({
          id: z.string(),
          version: z.string(),
          rules: z.number(),
          title: z.string().optional(),
          first_rule_title: z.string().optional(),
          first_rule_id: z.string().optional(),
          severity: z.object({ high: z.number(), medium: z.number(), low: z.number() }),
        })
        .optional(),
    }),
  ),
})

const FILES = isPresent ? shape.parse(JSON.parse(readFileSync(join(HOSTILE, 'hostile.json'), 'utf8'))).files : []
const PRESENT = FILES.filter(({ file }) => existsSync(join(HOSTILE, file)))

/** These say what to name, the others the very words. */
const DESCRIPTIONS = new Set(['second rule or line', 'line or byte offset'])

async function readAll(file: string): Promise<readonly UploadItem[]> {
  const items: UploadItem[] = []
  for await (const item of readUploadHere(join(HOSTILE, file), {})) items.push(item)
  return items
}

describe.skipIf(!isPresent)('A hostile or odd file', () => {
  it.each(PRESENT.filter((each) => each.expect === 'reject'))(
    'is refused: $file',
    async ({ file, problem, message_should_name: words = [] }) => {
      const { code, message } = await refusalOf(() => readAll(file))
      expect(code).toBe(problem)
      expect(message.length).toBeLessThan(500)
      for (const each of words) {
        if (DESCRIPTIONS.has(each)) expect(message).toMatch(/line \d+/)
        else expect(message.toLowerCase()).toContain(each.toLowerCase())
      }
    },
  )

  it.each(PRESENT.filter((each) => each.expect === 'accept'))('is read completely: $file', async ({ file, values }) => {
    const [item] = await readAll(file)
    if (item?.kind !== 'read' || values === undefined) throw new Error('Nothing was read')
    const { benchmark } = item
    expect(benchmark).toMatchObject({ benchmarkId: values.id, version: values.version })
    expect(benchmark.rules).toHaveLength(values.rules)
    const { title, first_rule_title: ruleTitle, first_rule_id: ruleId } = values
    if (title !== undefined) expect(benchmark.title).toBe(title)
    if (ruleTitle !== undefined) expect(benchmark.rules[0]?.title).toBe(ruleTitle)
    if (ruleId !== undefined) expect(benchmark.rules[0]?.ruleId).toBe(ruleId)
    const count = (severity: string): number => benchmark.rules.filter((rule) => rule.severity === severity).length
    expect({ high: count('high'), medium: count('medium'), low: count('low') }).toEqual(values.severity)
  })
})
