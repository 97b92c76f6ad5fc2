// @module-tag node

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readArchiveHere } from '../../src/guidance/interchange/archives/format/read-archive.ts'
import { requireStorable } from '../../src/http/input.ts'
import { isStorable } from '../../src/platform/characters.ts'
import { archiveOf, SAMPLE_RULE } from '../support/archive.ts'
import { temporaryFolder } from '../support/folder.ts'

/** The ranges of production 2 of XML 1.0. */
const CHARACTERS = [
  [0x9, 0xa],
  [0xd, 0xd],
  [0x20, 0xd7ff],
  [0xe000, 0xfffd],
  [0x10000, 0x10ffff],
] as const

function isCharacter(text: string): boolean {
  const code = text.codePointAt(0) ?? 0
  return CHARACTERS.some(([first, last]) => first <= code && code <= last)
}

function containingErrors(errors: readonly unknown[]): unknown {
  return expect.objectContaining({ errors })
}

describe('A text', () => {
  it('can be stored when XML can hold it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(isStorable(text)).toBe(Array.from(text).every(isCharacter))
      }),
    )
    for (const [first, last] of CHARACTERS) {
      const [before, after] = [first - 1, last + 1].map((code) => String.fromCodePoint(code % 0x110000))
      expect(isStorable(String.fromCodePoint(first, last))).toBe(true)
      for (const outside of [before ?? '', after ?? '']) expect(isStorable(outside)).toBe(isCharacter(outside))
    }
  })

  it('with a bad character is refused anywhere in a body, except in a password', () => {
    const stored = { review: { comment: 'tab\t, \u0085 and \u{1fffe}' }, ids: [1, null] }
    expect(() => {
      requireStorable({ body: stored, query: { q: '\ufffe' } })
      requireStorable({ body: { user: { password: '\ufffe' } } })
      requireStorable({})
    }).not.toThrow()
    const odd = { body: { review: { comment: 'a', list: ['b', { note: 'c\uffff' }] } } }
    expect(() => {
      requireStorable(odd, 'Refused.')
    }).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        members: containingErrors([
          { field: 'list.1.note', message: 'It has characters that cannot be stored (U+FFFF at position 2)' },
        ]),
      }),
    )
  })

  it('of an archive is read with a replacement for bad characters', async () => {
    const file = join(await temporaryFolder(), 'archive.zip')
    const [based_on, rules] = [{ srg_id: 'Tea_SRG', title: 'Tea', version: 'V1R1' }, [SAMPLE_RULE]]
    await writeFile(file, await archiveOf({ based_on, title: 'a\0b\ufffe' }, { rules }))
    const parts = []
    for await (const part of readArchiveHere(file)) parts.push(part)
    expect(parts).toMatchObject([
      { kind: 'head' },
      { kind: 'component', component: { title: 'a\ufffdb\ufffd' } },
      { kind: 'rules' },
      { kind: 'replaced', name: 'component.json' },
    ])
  })
})
