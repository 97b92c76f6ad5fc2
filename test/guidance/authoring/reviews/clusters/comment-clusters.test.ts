import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  findClusters,
  type ComparedComment,
} from '../../../../../src/guidance/authoring/reviews/clusters/comment-clusters.ts'

/** Invented comments: what they say, the rule that they are about, and their words. */
const SAMPLES = z
  .array(z.tuple([z.string(), z.int(), z.string()]))
  .parse(JSON.parse(readFileSync('test/fixtures/comments-alike.json', 'utf8')))

function compared(id: number, comment: string, given: Partial<ComparedComment> = {}): ComparedComment {
  return { id, comment, ruleId: 1, family: null, ...given }
}

async function idsOf(comments: readonly ComparedComment[]): Promise<readonly (readonly number[])[]> {
  return (await findClusters(comments)).map((cluster) => cluster.map(({ id }) => id))
}

const LONG = 'Containers have no boot loader: say that this is not applicable to them.'

describe('findClusters', () => {
  it('finds comments of known meaning with a precision above 0.95 and a recall above 0.75', async () => {
    const clusters = await idsOf(SAMPLES.map(([, ruleId, comment], id) => compared(id, comment, { ruleId })))
    const clusterOf = new Map(clusters.flatMap((ids, index) => ids.map((id) => [id, index] as const)))
    const count = { both: 0, found: 0, meant: 0 }
    for (const [index, [meaning]] of SAMPLES.entries())
      for (const [otherIndex, [otherMeaning]] of SAMPLES.slice(0, index).entries()) {
        const isFound = clusterOf.has(index) && clusterOf.get(index) === clusterOf.get(otherIndex)
        if (isFound) count.found += 1
        if (meaning === otherMeaning) count.meant += 1
        if (isFound && meaning === otherMeaning) count.both += 1
      }
    expect(count.both / count.found).toBeGreaterThan(0.95)
    expect(count.both / count.meant).toBeGreaterThan(0.75)
  })

  it('asks for more likeness between rules of different requirements', async () => {
    const comment = 'Restart the daemon after the change of the file, or the setting is not loaded.'
    const alikeComment = 'The setting is only loaded if somebody restarts the daemon.'
    const pair = (given: Partial<ComparedComment>): readonly ComparedComment[] => [
      compared(1, comment, { family: 'SRG-OS-000029' }),
      compared(2, alikeComment, given),
    ]
    expect(await idsOf(pair({ ruleId: 1 }))).toEqual([[1, 2]])
    expect(await idsOf(pair({ ruleId: 2, family: 'SRG-OS-000029' }))).toEqual([[1, 2]])
    expect(await idsOf(pair({ ruleId: 2, family: 'SRG-OS-000030' }))).toEqual([])
  })

  it('finds copies by their words, even if they name different rules', async () => {
    const copies = [LONG, `[Re: EXLX-01-000012] ${LONG}`, `EXLX-01-000013: ${LONG.toUpperCase()}`]
    expect(await idsOf(copies.map((text, index) => compared(index, text, { ruleId: index })))).toEqual([[0, 1, 2]])
  })

  it('leaves short comments on different rules alone, and reads other scripts', async () => {
    expect(await idsOf([compared(1, 'Agree.'), compared(2, 'Agree.', { ruleId: 2 })])).toEqual([])
    expect(await idsOf([compared(1, '同意します'), compared(2, '同意します'), compared(3, '反対します')])).toEqual([
      [1, 2],
    ])
  })

  it('compares 2,000 long comments that share most words, with pauses for others', async () => {
    const words = Array.from({ length: 300 }, (_, index) => `setting${index}`)
    const comments = Array.from({ length: 2000 }, (_, index) => compared(index, [...words, `own${index}`].join(' ')))
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const [cluster] = await findClusters(comments)
    delay.disable()
    expect(cluster).toHaveLength(2000)
    // Others may use the processor at the same time: the median would be as long if nothing paused.
    expect(delay.percentile(50) / 1e6).toBeLessThan(50)
  })
})
