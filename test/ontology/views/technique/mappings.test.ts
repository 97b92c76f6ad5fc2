import { describe, expect, it } from 'vitest'
import { text } from '../../../../src/graph/term.ts'
import type { ResultRow } from '../../../../src/ontology/views/rows.ts'
import { shapeOffensiveMatrix } from '../../../../src/ontology/views/technique/mappings.ts'
import { technique } from '../../../../src/ontology/views/technique/technique.ts'
import { rowsOf, sectionOf, valuesOf, varsOf } from '../../../support/answers.ts'
import { d3fIri, openFixture } from '../../../support/release.ts'

async function answer(fixture: string, name: string): Promise<unknown> {
  return technique.answer(await openFixture(fixture), d3fIri(name))
}

describe('digital_artifacts', async () => {
  const section = sectionOf(await answer('mappings', 'PairWatching'), 'digital_artifacts')

  it('announces its columns in their fixed order', () => {
    expect(varsOf(section).join(' ')).toBe(
      'query_def_tech_label top_def_tech_label def_tech_label def_artifact_rel_label ' +
        'def_artifact_label def_tactic def_tactic_rel def_tech def_artifact_rel def_artifact',
    )
  })

  it('has each candidate once per top technique above it and tactic of that', () => {
    const columns = ['def_tech', 'def_artifact', 'top_def_tech_label', 'def_tactic'] as const
    expect(valuesOf(section, ...columns)).toStrictEqual([
      'DayWatching Diary Watching Detect',
      'DayWatching Diary Watching Harden',
      'PairWatching DreamDiary Guarding Detect',
      'PairWatching DreamDiary Watching Detect',
      'PairWatching DreamDiary Watching Harden',
    ])
  })

  it('binds every column, including the requested label', () => {
    for (const row of rowsOf(section)) expect(Object.keys(row)).toStrictEqual(varsOf(section))
    const labels = valuesOf(section, 'query_def_tech_label', 'def_tech_label')
    expect(new Set(labels)).toStrictEqual(new Set(['Pair Watching Day Watching', 'Pair Watching Pair Watching']))
  })

  it('does not take the tactics of a technique that is not a top one', async () => {
    const below = sectionOf(await answer('mappings', 'DayWatching'), 'digital_artifacts')
    expect(valuesOf(below, 'def_tactic')).not.toContain('Access')
  })

  it('has no row for a tactic, a relation, an artifact or a technique without a label', async () => {
    const bare = sectionOf(await answer('unlabelled', 'Watching'), 'digital_artifacts')
    const columns = ['def_tech', 'def_artifact_rel', 'def_artifact', 'def_tactic'] as const
    expect(valuesOf(bare, ...columns)).toStrictEqual(['Watching watches Diary Detect'])
  })

  it('has no row if the top technique enables no tactic', async () => {
    expect(rowsOf(sectionOf(await answer('unlabelled', 'Idling'), 'digital_artifacts'))).toEqual([])
  })
})

describe('def_to_off', async () => {
  const whole = await answer('mappings', 'PairWatching')
  const section = sectionOf(whole, 'def_to_off')

  it('announces its columns in their fixed order', () => {
    expect(varsOf(section).join(' ')).toBe(
      'query_def_tech_label top_def_tech_label def_tactic_label def_tactic_rel_label ' +
        'def_tech_label def_artifact_rel_label def_artifact_label off_artifact_label ' +
        'off_artifact_rel_label off_tech_label off_tech_id off_tech_parent_label ' +
        'off_tech_parent_is_toplevel off_tactic_rel_label off_tactic_label def_tactic ' +
        'def_tactic_rel def_tech def_artifact_rel def_artifact off_artifact off_artifact_rel ' +
        'off_tech off_tech_parent off_tactic_rel off_tactic',
    )
  })

  it('meets the attacks on an artifact and on all below it', () => {
    const columns = ['def_tech', 'def_artifact', 'off_artifact', 'off_tech_id'] as const
    expect(valuesOf(section, ...columns)).toStrictEqual([
      'DayWatching Diary Diary T9001',
      'DayWatching Diary Diary T9001',
      'DayWatching Diary DreamDiary T9001.001',
      'DayWatching Diary DreamDiary T9001.001',
      'PairWatching DreamDiary DreamDiary T9001.001',
      'PairWatching DreamDiary DreamDiary T9001.001',
      'PairWatching DreamDiary DreamDiary T9001.001',
    ])
  })

  it('binds every column in every row, and repeats no row', () => {
    const rows = rowsOf(section)
    for (const row of rows) expect(Object.keys(row)).toStrictEqual(varsOf(section))
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length)
  })

  it('marks with a boolean whether the parent of the attack is a tactic class', () => {
    const marks = rowsOf(section).map(({ off_tech_id: id, ...row }) => [id?.value, row['off_tech_parent_is_toplevel']])
    const boolean = { type: 'literal', datatype: 'http://www.w3.org/2001/XMLSchema#boolean' }
    expect(marks).toContainEqual(['T9001', { ...boolean, value: 'true' }])
    expect(marks).toContainEqual(['T9001.001', { ...boolean, value: 'false' }])
    expect(new Set(marks.map((mark) => JSON.stringify(mark))).size).toBe(2)
  })

  it('is repeated as a matrix, every row once, sub-techniques with their parent', () => {
    const matrix = sectionOf(whole, 'related_offensive_matrix')
    expect(matrix).toStrictEqual({ Access: [['Reading', rowsOf(section)]] })
  })

  it('is empty, like its matrix, for a technique without attacks', async () => {
    const lonely = await answer('unlabelled', 'Watching')
    expect(rowsOf(sectionOf(lonely, 'def_to_off'))).toStrictEqual([])
    expect(sectionOf(lonely, 'related_offensive_matrix')).toStrictEqual({})
  })
})

describe('The offensive matrix', () => {
  /** A row as far as the matrix looks at it. */
  function row(tactic: string, technique: string, parent: string): ResultRow {
    const top = parent.endsWith('Technique')
    return {
      off_tactic_label: text(tactic),
      off_tech_label: text(technique),
      off_tech_parent_label: text(parent),
      off_tech_parent_is_toplevel: text(String(top)),
    }
  }

  it('groups rows by tactic, then by technique, in the order of first occurrence', () => {
    const nightReading = row('Stealth', 'Night Reading', 'Reading')
    const dumping = row('Access', 'Dumping', 'Access Technique')
    const hiding = row('Stealth', 'Hiding', 'Stealth Technique')
    const reading = row('Stealth', 'Reading', 'Stealth Technique')
    expect(Object.entries(shapeOffensiveMatrix([nightReading, dumping, hiding, reading]))).toStrictEqual([
      [
        'Stealth',
        [
          ['Reading', [nightReading, reading]],
          ['Hiding', [hiding]],
        ],
      ],
      ['Access', [['Dumping', [dumping]]]],
    ])
  })
})
