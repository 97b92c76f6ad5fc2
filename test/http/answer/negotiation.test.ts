// @module-tag node

import { describe, expect, it } from 'vitest'
import { acceptedCoding, acceptedForm, acceptedMediaType, matchesEtag } from '../../../src/http/answer/negotiation.ts'

describe('The accepted coding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.1, gzip;q=0.2', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity, gzip;q=0.5', 'identity'],
    ['deflate', 'identity'],
    ['GZIP', 'gzip'],
    [',,;q=x', 'identity'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0, br;q=0', 'identity'],
    ['identity;q=0', 'br'],
    ['identity;q=0, br;q=0', 'gzip'],
    ['*;q=0, gzip', 'gzip'],
    ['*;q=0.5, identity;q=0', 'br'],
    ['gzip;q=1.0, identity; q=0.5, *;q=0', 'gzip'],
    ['*;q=0', null],
    ['identity;q=0, deflate', null],
    ['identity;q=0, gzip;q=0, br;q=0', null],
  ])('of "%s" is %s', (header, coding) => {
    expect(acceptedCoding(header)).toBe(coding)
    expect(acceptedCoding(header)).toBe(coding)
  })
})

const CSV = ['text/csv', 'application/json'] as const

describe('The accepted media type', () => {
  it('is the first offered when all are equal, and none when none is accepted', () => {
    expect(acceptedMediaType(undefined, CSV)).toBe('text/csv')
    expect(acceptedMediaType('image/png', ['text/csv'])).toBeUndefined()
  })

  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['*/*', 'application/json'],
    ['text/html, */*', 'text/html'],
    ['text/html, application/json', 'text/html'],
    ['application/json, text/html', 'application/json'],
    ['text/*, application/json;q=0.9', 'text/html'],
    ['text/html;q=0, */*', 'application/json'],
    ['text/html;level=1;q=0, text/html', 'text/html'],
    ['TEXT/HTML ; Q=1.0', 'text/html'],
  ])('of "%s" is %s', (header, type) => {
    expect(acceptedMediaType(header, ['application/json', 'text/html'])).toBe(type)
  })

  it.each([
    'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"',
    'application/ld+json; profile="a,b;c \\" d"; q=0.9, text/turtle;q=0.5',
    'text/turtle;q=0.3, application/ld+json;profile="x";charset=utf-8',
  ])('is found without its parameters: %s', (header) => {
    expect(acceptedMediaType(header, ['text/turtle', 'application/ld+json'])).toBe('application/ld+json')
  })

  it('is found in one pass, however odd the header', () => {
    const quotes = '"\\'.repeat(8000)
    expect(acceptedMediaType(`${quotes}, ${','.repeat(16_000)}`, CSV)).toBeUndefined()
  })
})

describe('The accepted form', () => {
  it.each([
    // axios and Angular, browsers, fetch and curl, none, empty, another one, not well-formed
    ['application/json, text/plain, */*', 'text/csv'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/csv'],
    ['*/*', 'text/csv'],
    [undefined, 'text/csv'],
    ['', 'text/csv'],
    ['text/html', 'text/csv'],
    [';;q=,"', 'text/csv'],
    ['text/csv;header=present, application/json', 'text/csv'],
    ['application/json;q=0', 'text/csv'],
    ['application/json;q=0, */*', 'text/csv'],
    ['application/json', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json, */*;q=0.5', 'application/json'],
    ['text/html, application/json;q=0.2', 'application/json'],
    ['text/csv;q=0', 'application/json'],
    ['text/csv;q=0, */*;q=0.1', 'application/json'],
    ['text/*;q=0', 'application/json'],
    ['text/csv;q=0, application/json;q=0.0', null],
    ['*/*;q=0', null],
  ])('of "%s" is %s', (header, form) => {
    expect(acceptedForm(header, CSV)).toBe(form)
  })
})

describe('If-None-Match', () => {
  it.each([
    [undefined, false],
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
  ])('%s names the tag "a": %s', (header, expected) => {
    expect(matchesEtag(header, '"a"')).toBe(expected)
  })
})
