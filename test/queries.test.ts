import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { readQuery } from '../src/graph/query.ts'
import { EmbeddedGraph } from '../src/graph/store.ts'

const ROOT = new URL('../', import.meta.url)
const FILES = globSync(['src/**/*.rq', 'src/**/*.ru'], { cwd: fileURLToPath(ROOT) }).sort()
const SMALL = readFileSync(new URL('test/fixtures/ontology/small.ttl', ROOT))

function smallGraph(): EmbeddedGraph {
  const graph = new EmbeddedGraph()
  graph.load(SMALL, 'text/turtle')
  return graph
}

/** Runs a query or an update as it stands in its file. */
async function run(graph: EmbeddedGraph, file: string): Promise<void> {
  const query = readQuery(new URL(file, ROOT), [])
  // The graph reads rows only; the triples of a CONSTRUCT are inserted.
  if (file.endsWith('.ru') || /^CONSTRUCT\b/m.test(query.text)) graph.update(query.text.replace('CONSTRUCT', 'INSERT'))
  else await graph.select(query)
}

it('The sources hold queries', () => {
  expect(FILES.length).toBeGreaterThan(20)
})

describe.each(FILES)('%s', (file) => {
  const text = readFileSync(new URL(file, ROOT), 'utf8')
  const lines = text.split('\n')

  it('runs against an empty store', async () => {
    await expect(run(new EmbeddedGraph(), file)).resolves.toBeUndefined()
  })

  it('runs against a small store', async () => {
    await expect(run(smallGraph(), file)).resolves.toBeUndefined()
  })

  it('begins with a summary', () => {
    expect(lines[0]).toMatch(/^#\+ summary: \S.*[.?]$/)
  })

  it('is indented by two spaces a level, without tabs or trailing space', () => {
    const odd = lines.filter((line) => /^(?: {2})* \S|\t|\s$/.test(line))
    expect(odd).toStrictEqual([])
  })

  it('indents a line by one level more than the line before it at most', () => {
    const levels = lines.filter((line) => line !== '').map((line) => (line.length - line.trimStart().length) / 2)
    const jumps = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)
    expect(jumps).toStrictEqual([])
  })

  it('declares the prefixes that it uses, and only these, in order', () => {
    const declared = Array.from(text.matchAll(/^PREFIX (\w+):/gm), ([, prefix]) => prefix)
    const code = text.replace(/^(?:#|PREFIX).*$/gm, '').replace(/<[^>]*>|"[^"]*"/g, '')
    const used = Array.from(code.matchAll(/\b(\w+):/g), ([, prefix]) => prefix)
    expect(declared).toStrictEqual([...new Set(used)].sort())
  })

  it('ends with one line break', () => {
    expect(text).toMatch(/\S\n$/)
  })
})
