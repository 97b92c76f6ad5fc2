import { describe, expect, it } from 'vitest'
import {
  releasesBefore,
  formatHistory,
  parseHistory,
  withTransition,
  type History,
} from '../../../src/ontology/release/history.ts'

const AT = '2026-01-01T00:00:00.000Z'

function historyOf(...versions: readonly string[]): History {
  return versions.slice(1).map((to, index) => ({ from: versions[index] ?? '', to, at: AT }))
}

function versionsBefore(active: string | null, history: History): readonly string[] {
  return Array.from(releasesBefore(active, history), ({ version }) => version)
}

describe('earlierThan', () => {
  it.each([
    ['goes back in the order of activation', 'C', historyOf('A', 'B', 'C'), ['B', 'A']],
    ['names each version once, and never the active one', 'A', historyOf('A', 'B', 'A'), ['B']],
    ['skips an activation that a crash has cut off', 'B', historyOf('A', 'B', 'C'), ['A']],
    ['knows what was active before a change by hand', 'X', historyOf('A', 'B'), ['B', 'A']],
    ['is empty without a history', 'A', [], []],
    ['begins with the last one where none is active', null, historyOf('A', 'B'), ['B', 'A']],
  ])('%s', (_name, active, history, versions) => {
    expect(versionsBefore(active, history)).toEqual(versions)
  })

  it('returns the remaining history, so that a second rollback goes further back', () => {
    const history = historyOf('A', 'B', 'C')
    const [first] = releasesBefore('C', history)
    expect(versionsBefore(first?.version ?? '', first?.history ?? [])).toEqual(['A'])
  })
})

describe('A history', () => {
  it('keeps the last hundred transitions', () => {
    let history: History = []
    for (let index = 0; index < 120; index += 1) {
      const next = { from: `1.${index}`, to: `1.${index + 1}`, at: AT }
      history = parseHistory(formatHistory(withTransition(history, next)))
    }
    expect(history).toHaveLength(100)
    expect(versionsBefore('1.120', history)[0]).toBe('1.119')
  })

  it.each(['', 'half a fi', '{}', '[{"from":1}]'])('is empty if the file has %j', (text) => {
    expect(parseHistory(text)).toEqual([])
  })
})
