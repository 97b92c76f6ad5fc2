import { describe, expect, it } from 'vitest'
import { paragraphsOf } from '../../../src/web/application/catalogue/rule/paragraphs.ts'
import { shortTitle } from '../../../src/web/application/parts/words/document-title.ts'

describe('The title of a document', () => {
  it('abbreviates the words that all titles have', () => {
    expect(shortTitle('Tea 9 Security Technical Implementation Guide')).toBe('Tea 9 STIG')
    expect(shortTitle('Tea Security Requirements Guide (SRG)')).toBe('Tea SRG')
    expect(shortTitle('Tea Security Technical Implementation Guide STIG')).toBe('Tea STIG')
    expect(shortTitle('Tea SCAP Benchmark')).toBe('Tea SCAP Benchmark')
  })
})

describe('A text of a rule', () => {
  it('is split at empty lines, with commands at a prompt marked', () => {
    const text = 'Run this:\r\n\r\n$ sudo ls\ntea\n \n\nPS C:\\> Get-Tea\n\n$5 is the price.\n\n# reboot\n'
    expect(paragraphsOf(text)).toEqual([
      { text: 'Run this:', isCommand: false },
      { text: '$ sudo ls\ntea', isCommand: true },
      { text: 'PS C:\\> Get-Tea', isCommand: true },
      { text: '$5 is the price.', isCommand: false },
      { text: '# reboot', isCommand: true },
    ])
  })

  it('is split in time, however many blanks it has', () => {
    const before = performance.now()
    paragraphsOf(`${' \n\t'.repeat(20_000)}x${'\n '.repeat(20_000)}`)
    expect(performance.now() - before).toBeLessThan(500)
  })
})
