import { describe, expect, it } from 'vitest'
import { AnswerCache, cacheKey } from '../../src/sparql/answer-cache.ts'

const body = Uint8Array.of(1, 2, 3)
const QUICK_MS = 1

describe('The cache of answers', () => {
  it('keeps a quick answer when its query is asked a second time', () => {
    const cache = new AnswerCache()
    cache.set('query', body, QUICK_MS)
    expect(cache.get('query')).toBeUndefined()
    cache.set('query', body, QUICK_MS)
    expect(cache.get('query')).toBe(body)
    expect(cache.get('another one')).toBeUndefined()
  })

  it('keeps a slow answer the first time', () => {
    const cache = new AnswerCache()
    cache.set('query', body, 100)
    expect(cache.get('query')).toBe(body)
  })

  it('remembers a query over thousands of others', () => {
    const cache = new AnswerCache()
    cache.set('query', body, QUICK_MS)
    for (let other = 0; other < 2000; other += 1) cache.set(`${other}`, body, QUICK_MS)
    cache.set('query', body, QUICK_MS)
    expect(cache.get('query')).toBe(body)
  })

  it('keeps no answer that is larger than a megabyte', () => {
    const cache = new AnswerCache()
    cache.set('query', new Uint8Array(1024 * 1024), 100)
    expect(cache.get('query')).toBeUndefined()
  })
})

describe('The key of an answer', () => {
  const question = {
    text: 'ASK {}',
    bounded: 'ASK {}',
    baseIri: 'a:base',
    format: 'text/csv',
    dataset: { defaults: ['a:release'], named: ['a:pinned'] },
    maxRows: 1,
    maxBytes: 1,
  }

  function publishedGraphs(release: string, pinned: string): Parameters<typeof cacheKey>[1] {
    return {
      held: [{ iri: 'a:release', key: release, role: 'default', title: '' }],
      pinned: new Map([['a:pinned', { iri: 'a:pinned', key: pinned, role: 'pinned', title: '' } as const]]),
    }
  }

  it('is another one for another query, format, dataset or state of a graph', () => {
    const { defaults, named } = question.dataset
    const published = publishedGraphs('1', '1')
    const keys = [
      cacheKey(question, published),
      cacheKey({ ...question, text: 'ASK { }' }, published),
      cacheKey({ ...question, format: 'text/tab-separated-values' }, published),
      cacheKey({ ...question, dataset: { defaults: named, named: defaults } }, published),
      cacheKey(question, publishedGraphs('2', '1')),
      cacheKey(question, publishedGraphs('1', '2')),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    expect(cacheKey(question, publishedGraphs('1', '1'))).toBe(keys[0])
  })
})
