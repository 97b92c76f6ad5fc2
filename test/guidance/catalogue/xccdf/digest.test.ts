import { describe, expect, it } from 'vitest'
import { contentDigest } from '../../../../src/guidance/catalogue/xccdf/digest.ts'
import { documentOf, groupOf, read, ruleContent, ruleOf } from './document.ts'

function digestOf(check: string, parts: Parameters<typeof documentOf>[0] = {}): string {
  const content = ruleContent({ check: `<check><check-content>${check}</check-content></check>` })
  return contentDigest(read(documentOf({ body: groupOf(ruleOf(content)), ...parts })).benchmark)
}

describe('The digest of a benchmark', () => {
  const digest = digestOf('The "pot" isn\'t warm.')

  it.each(['The “pot” isn’t warm.', ' The\r\n"pot"\u00a0 isn&#39;t\twarm. '])('is the same for %j', (check) => {
    expect(digestOf(check)).toBe(digest)
  })

  it('is equal to the one that the first version of the program stored', () => {
    expect(digestOf('The pot is warm.')).toBe('0e887677e423a9fc043f0094b367bdac014462e829b131ce528b6cd08e100280')
  })

  it('includes a rationale if there is one', () => {
    const [none, blank, some] = ['', '<rationale> </rationale>', '<rationale>Tea.</rationale>'].map((extra) =>
      contentDigest(read(documentOf({ body: groupOf(ruleOf(ruleContent({ extra }))) })).benchmark),
    )
    expect(blank).toBe(none)
    expect(some).not.toBe(none)
  })

  it('is the same in another version of XCCDF', () => {
    expect(digestOf('The "pot" isn\'t warm.', { xccdf: '1.2' })).toBe(digest)
  })

  it.each(['The "pot" is warm.', 'the "pot" isn\'t warm.', ''])('differs for %j', (check) => {
    expect(digestOf(check)).not.toBe(digest)
  })

  it('is the same for empty and absent values', () => {
    const [empty, absent] = ['<status> </status>', ''].map((status) => digestOf('x', { status }))
    expect(empty).toBe(absent)
  })
})
