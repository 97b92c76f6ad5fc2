import { describe, expect, it } from 'vitest'
import { readBuiltPages } from '../../src/web/server/built-pages.ts'

describe('The files of a page', () => {
  it('take at most 60 kB in addition to those of the first page', () => {
    const { assets, files } = readBuiltPages()
    const sizes = new Map(assets.map(({ path, bodies }) => [path, (bodies.br ?? bodies.identity).length]))
    const first = new Set(files['start'])
    const large = Object.entries(files).flatMap(([name, paths]) => {
      const size = paths.filter((path) => !first.has(path)).reduce((sum, path) => sum + (sizes.get(`/${path}`) ?? 0), 0)
      // In this build, components have their names as well: 63.5 kB of the editor are 60 kB as deployed.
      return size > 63_500 ? [`${name}: ${size}`] : []
    })
    expect(sizes.size).toBeGreaterThan(100)
    expect(large).toEqual([])
  })
})
