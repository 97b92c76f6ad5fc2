import { describe, expect, it } from 'vitest'
import { tokensOf } from '../../../src/sparql/query/lexer.ts'
import { NameResolver } from '../../../src/sparql/query/names.ts'

/** IRIs of all names and IRIs in a query, in order; null for declarations and blank nodes. */
function namesIn(query: string, base = 'http://localhost/a/b'): readonly (string | null)[] {
  const names = new NameResolver(base)
  let word: string | undefined
  const iris: (string | null)[] = []
  for (const token of tokensOf(query)) {
    if (token.kind === 'iri' || token.kind === 'name') iris.push(names.read(token, word))
    word = token.kind === 'word' ? token.text : undefined
  }
  return iris
}

describe('A name in a query', () => {
  it.for<readonly [string, readonly (string | null)[]]>([
    ['PREFIX x: <http://x/> x:a', [null, null, 'http://x/a']],
    ['PREFIX : <http://x/> :a', [null, null, 'http://x/a']],
    ['PREFIX x: <http://x/> x:a\\-b\\,c', [null, null, 'http://x/a-b,c']],
    ['PREFIX x: <http://x/> PREFIX x: <http://y/> x:a <http://z>', [null, null, null, null, 'http://y/a', 'http://z']],
    ['BASE <http://b/c/> PREFIX x: <d#> x:a', [null, null, null, 'http://b/c/d#a']],
    ['x:a PREFIX x: <http://x/>', [null, null, null]],
    ['PREFIX _: <http://x/> _:a', [null, null, null]],
  ])('is expanded by the prefixes that are declared before it: %s', ([query, iris]) => {
    expect(namesIn(query)).toEqual(iris)
  })
})

describe('An IRI in a query', () => {
  it.for<readonly [string, readonly (string | null)[]]>([
    ['<c>', ['http://localhost/a/c']],
    ['BASE <http://b/c/> <d> BASE <../e/> <f>', [null, 'http://b/c/d', null, 'http://b/e/f']],
    ['<HTTP://x/../y>', ['HTTP://x/../y']],
    ['<x-1.+:y>', ['x-1.+:y']],
    ['<1x:y>', ['http://localhost/a/1x:y']],
    ['<urn:\\u0061\\U0001F600>', ['urn:a😀']],
    ['<urn:\\U0010FFFF>', ['urn:\u{10ffff}']],
    ['<urn:a\\U00110000>', ['urn:a']],
  ])('is resolved against the base, unless it has a scheme: %s', ([query, iris]) => {
    expect(namesIn(query)).toEqual(iris)
  })

  it('stays unchanged if the base does not resolve it', () => {
    expect(namesIn('<c>', 'nowhere')).toEqual(['c'])
  })

  it('is resolved 200 times in a query, which bounds the time that it takes', () => {
    const resolved = namesIn('<c> <urn:d> '.repeat(202)).filter((iri) => iri !== 'urn:d')
    expect(resolved).toHaveLength(202)
    expect(resolved.slice(198)).toEqual(['http://localhost/a/c', 'http://localhost/a/c', 'c', 'c'])
  })
})
