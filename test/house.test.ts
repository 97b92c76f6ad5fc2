import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const IMPORT = /(?:^(?:import|export)\b[^'"]*?\bfrom |\bimport[ (])'(\.[^']+)'/gm

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:ts|vue)$/.test(name))
  .map((name) => join('src', name))

/** Imports of each file, including those of types only. */
const imports: ReadonlyMap<string, readonly string[]> = new Map(
  files.map((file) => {
    const matches = readFileSync(file, 'utf8').matchAll(IMPORT)
    return [file, Array.from(matches, ([, name = '']) => join(dirname(file), name.replace('?raw', '')))]
  }),
)

/** Files that import each other in a loop: what is left when those without an arrow are taken away. */
function circles(): readonly string[] {
  const left = new Map(imports)
  for (;;) {
    const free = [...left].filter(([, others]) => !others.some((other) => left.has(other)))
    if (free.length === 0) return [...left.keys()]
    for (const [file] of free) left.delete(file)
  }
}

/** In files; migrations may have more. */
const MOST = 17
const LARGE: Readonly<Record<string, number>> = { 'src/guidance/database/migrations': Infinity }

describe('The house', () => {
  it('has no import cycle, not even of types', () => {
    expect(circles()).toEqual([])
  })

  it('imports only existing names', () => {
    const missing = [...imports].flatMap(([file, others]) =>
      others.filter((other) => !existsSync(other)).map((other) => `${file} -> ${other}`),
    )
    expect(files.length).toBeGreaterThan(400)
    expect(missing).toEqual([])
  })

  it('has few entries in each folder', () => {
    const folders = [...new Set(files.map((file) => dirname(file)))]
    const full = folders.filter((folder) => {
      const held = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
      return held.length > (LARGE[folder] ?? MOST)
    })
    expect(full).toEqual([])
  })
})
