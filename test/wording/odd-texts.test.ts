import { describe, expect, it } from 'vitest'
import { adviseOn } from '../../src/wording/advise.ts'
import type { WrittenRule } from '../../src/wording/rule.ts'

/** A rule that says the same everywhere. */
function ruleOf(text: string): WrittenRule {
  return {
    documentType: 'stig',
    status: 'Applicable - Configurable',
    severity: 'medium',
    title: text,
    isSatisfied: false,
    requirement: null,
    checks: [{ id: 7, content: text }],
    texts: { vuln_discussion: text, fixtext: text },
  }
}

describe('Advice on odd texts', () => {
  it.each([
    ['brackets', '[('.repeat(20_000)],
    ['quotes', '"\u201c'.repeat(20_000)],
    ['sentences', 'If it is. '.repeat(10_000)],
    ['one word', 'should'.repeat(20_000)],
    ['lines', 'Set it to it.\n'.repeat(8000)],
    ['emphasis', '**a'.repeat(30_000)],
    ['settings', 'name = value '.repeat(8000)],
    ['paths', '/etc/a'.repeat(20_000)],
    ['damaged characters', '\u00e2\u20ac\u2122'.repeat(20_000)],
    ['damaged characters and quotes', '\u00e2\u20aca\u201c'.repeat(20_000)],
    ['empty lines', `The pot.${'\n'.repeat(60_000)}`],
  ])('is found in linear time: %s', (_, text) => {
    const began = process.cpuUsage()
    adviseOn(ruleOf(text))
    // Four texts, twenty times as long as one may write them; squares of that would take minutes.
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(3000)
  })

  it('is found in linear time in many words that the check lacks', () => {
    const words = (letter: string): string =>
      Array.from({ length: 6000 }, (_, index) => `${letter}${(index * 7919) % 99_991}`).join(' ')
    const written = ruleOf(words('w'))
    const began = process.cpuUsage()
    adviseOn({ ...written, texts: { fixtext: words('q') } })
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(400)
  })
})
