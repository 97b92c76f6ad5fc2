import { describe, expect, it } from 'vitest'
import { nameTree } from '../../../src/platform/files/tree-names.ts'

function named(...urls: readonly string[]): readonly (string | undefined)[] {
  const names = nameTree(urls, 'readable')
  return urls.map((url) => names.get(url))
}

describe('The names of a tree', () => {
  it('are the decoded paths', () => {
    expect(named('/api/x/V1R1.json', '/api/T%C3%A9e.json')).toEqual(['api/x/V1R1.json', 'api/Tée.json'])
  })

  it('never lead out of it', () => {
    expect(named('/a/%2E%2E/x.json', '/a/..%2F..%2Fx.json', '/a/./x', '/a//x')).toEqual([
      'a/~2E~2E/x.json',
      'a/~2E.~2F..~2Fx.json',
      'a/~2E/x',
      'a/~~e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855/x',
    ])
  })

  it('differ by more than letter case', () => {
    expect(named('/a/X.json', '/a/x.json', '/a/X/y')).toEqual(['a/~58.json', 'a/x.json', 'a/X/y'])
  })

  it('differ where a folder is called like a file', () => {
    expect(named('/a/x.json', '/a/x.json/y')).toEqual(['a/x.json', 'a/x.json~2F/y'])
  })

  it('are short enough for every file system', () => {
    const [name = ''] = named(`/a/${'x'.repeat(400)}.json`)
    expect(name).toMatch(/^a\/x{100}~~[0-9a-f]{64}\.json$/)
  })
})
