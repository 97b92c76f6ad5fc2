import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RecordIndex } from '../../../src/search/index/record-index.ts'
import { emptyIndexes, readSavedState, writeSavedState } from '../../../src/search/thread/saved-state.ts'
import { temporaryFolder } from '../../support/folder.ts'

const KEYS = [17, 33, 49]
const NOTHING = { content: null, referenceVersion: '', reference: [] }

it('A saved index has no removed records', async () => {
  const indexes = { ...emptyIndexes(), position: { sequence: 3, mark: 'a' } }
  const section = { field: 'title', words: ['kettle'], compounds: [] } as const
  const records = KEYS.map((key) => ({ key, owner: 2, severity: 1, fold: 7, sections: [section] }))
  await indexes.authored.replaceInTurns(records, [])
  await indexes.authored.replaceInTurns([], KEYS.slice(1, 2))
  const file = join(await temporaryFolder(), 'index')
  await writeSavedState(file, { indexes, described: NOTHING, ontology: new RecordIndex() })
  const { saved } = await readSavedState(file)
  expect(saved?.indexes.position).toEqual(indexes.position)
  expect(saved?.indexes.authored.parts.map(({ segment, live }) => [[...segment.keys], live])).toEqual([[[17, 49], 2]])
})
