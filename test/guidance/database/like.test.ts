// @module-tag database

import { describe, expect, it } from 'vitest'
import { contains } from '../../../src/guidance/database/like.ts'
import { foldText } from '../../../src/platform/characters.ts'
import { alter } from '../../support/guidance-records.ts'
import { guidanceService } from '../../support/guidance.ts'

const guidance = guidanceService()

describe('A search for a part of a folded text', () => {
  it.each([
    ['Éclair', 'é'],
    ['Éclair', 'E\u0301CLAIR'],
    ['E\u0301clair', 'éclair'],
    ['straße', 'STRAẞE'],
    ['Straße', 'aß'],
    ['İpek', 'İPEK'],
    ['İpek', 'I\u0307pek'],
    ['Ｆｕｌｌ', 'full'],
    ['full', 'ＦＵＬＬ'],
    ['ﬁnd', 'fin'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφ'],
    ['100% sure', '0% s'],
    ['under_score', 'R_S'],
    ['back\\slash', 'k\\s'],
    ['a\\%b', '\\%'],
    ["it's", "t's"],
    ['🤖', '🤖'],
    ['anything', ''],
  ])('finds in %j the text %j', async (text, part) => {
    expect(await has(text, part)).toBe(true)
  })

  it.each([
    ['Eclair', 'é'],
    ['ısı', 'isi'],
    ['strasse', 'ß'],
    ['100', '%'],
    ['ab', 'a_'],
    ['ab', '_b'],
    ['a-b', 'a%b'],
    ['ab', '\\a'],
    ['ab', '\\'],
    ['a', '[a]'],
    ['a', '?'],
    ['', 'a'],
    ['short', 'short and longer'],
  ])('does not find in %j the text %j', async (text, part) => {
    expect(await has(text, part)).toBe(false)
  })

  it('finds nothing in a blank text, or for a text that no pattern can hold', async () => {
    expect(await has(null, 'a')).toBe(false)
    expect(await has('صلى الله عليه وسلم', '\uFDFA')).toBe(true)
    expect(await has('x', '\uFDFA'.repeat(10_000))).toBe(false)
    expect(await has('x', '%'.repeat(10_000))).toBe(false)
    expect(await has('x', '🤖'.repeat(5000))).toBe(false)
  })
})

/** Whether a search for `part` finds a project with this description. */
async function has(description: string | null, part: string): Promise<boolean> {
  const now = new Date().toISOString()
  const description_key = description === null ? null : foldText(description)
  const row = { name: '', name_key: '', visibility: 'hidden', metadata: '{}' } as const
  await alter(guidance(), async (writer) => {
    await writer.deleteFrom('projects').execute()
    await writer
      .insertInto('projects')
      .values({ ...row, description, description_key, created_at: now, updated_at: now })
      .execute()
  })
  const found = await guidance()
    .service.guidance.database.read.selectFrom('projects')
    .select('id')
    .where((is) => contains(is.ref('projects.description_key'), part))
    .execute()
  return found.length === 1
}
