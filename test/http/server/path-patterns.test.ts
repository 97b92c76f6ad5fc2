import { describe, expect, it } from 'vitest'
import { patternMatcher } from '../../../src/http/server/path-patterns.ts'

const patternOf = patternMatcher(['/api/techniques.json', '/api/technique/{technique}/guidance.json', '/stigs/{id}'])

describe('The pattern of a path', () => {
  it.each([
    ['/api/techniques.json', '/api/techniques.json'],
    ['/stigs/1', '/stigs/{id}'],
    ['/api/technique/d3f:Locking/guidance.json', '/api/technique/{technique}/guidance.json'],
    ['/api/technique/http%3A%2F%2Fexample.org%2FLocking/guidance.json', '/api/technique/{technique}/guidance.json'],
  ])('of %s is %s', (path, pattern) => {
    expect(patternOf(path)).toBe(pattern)
  })

  it.each([
    '/api/technique/d3f:Locking.json',
    '/api/technique/guidance.json',
    '/api/technique/a/b/guidance.json',
    '/api/technique//guidance.json',
    '/stigs/1/rules',
  ])('is unknown for %s', (path) => {
    expect(patternOf(path)).toBeNull()
  })
})
