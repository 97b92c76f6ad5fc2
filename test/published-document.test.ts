import { describe, expect, it } from 'vitest'
import { PublishedDocument, type Exchange } from './support/published-document.ts'

const JSON_TYPE = 'application/json'

function answered(schema: object): object {
  return { description: 'An answer', content: { [JSON_TYPE]: { schema } } }
}

const pot = { type: 'object', properties: { lid: { type: 'boolean' } }, required: ['lid'] }
const parameter = { in: 'query', required: false, schema: { type: 'integer', maximum: 9 } }

const document = new PublishedDocument(
  JSON.stringify({
    components: { schemas: { Pot: pot } },
    paths: {
      '/pots/{id}': {
        get: {
          operationId: 'getPot',
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
            { ...parameter, name: 'size', required: true },
            { ...parameter, name: 'page', 'x-forgiving': true },
          ],
          responses: { '200': answered({ $ref: '#/components/schemas/Pot' }) },
        },
        put: {
          operationId: 'updatePot',
          requestBody: { required: true, content: { [JSON_TYPE]: { schema: pot } } },
          responses: { '200': answered(pot), '422': { description: 'Refused' } },
        },
      },
      '/pots/new': { get: { operationId: 'newPot', responses: { '303': { description: 'On' } } } },
    },
  }),
)

function contradictions(exchange: Partial<Exchange>): readonly string[] {
  return document.contradictions({
    method: 'GET',
    url: '/pots/1?size=3',
    sent: { mediaType: '', body: undefined },
    status: 200,
    mediaType: JSON_TYPE,
    body: { lid: true },
    ...exchange,
  })
}

describe('The comparison with the published document', () => {
  const put = { method: 'PUT', url: '/pots/1' }

  it.each([
    [{}],
    [{ url: '/pots/1?size=3&page=x' }],
    [{ url: '/pots/new', status: 303, mediaType: '', body: null }],
    [{ url: '/elsewhere', status: 418 }],
    [{ status: 500 }],
    [{ ...put, sent: { mediaType: JSON_TYPE, body: { lid: false } } }],
    [{ ...put, sent: { mediaType: JSON_TYPE, body: 1 }, status: 422, mediaType: '', body: null }],
  ])('accepts %j', (exchange) => {
    expect(contradictions(exchange)).toEqual([])
  })

  it.each([
    [{ status: 404 }, 'the status 404 is not listed'],
    [{ mediaType: 'text/html' }, 'no text/html is listed'],
    [{ body: { lid: 'on' } }, 'the answer: data/lid must be boolean'],
    [{ body: {} }, "the answer: data must have required property 'lid'"],
    [{ url: '/pots/new', status: 303 }, 'there should be no body'],
    [{ url: '/pots/a?size=3' }, 'id: data must be integer'],
    [{ url: '/pots/1?size=10' }, 'size: data must be <= 9'],
    [{ url: '/pots/1' }, 'size is missing'],
    [{ ...put, sent: { mediaType: JSON_TYPE, body: 1 } }, 'the body: data must be object'],
    [{ ...put, sent: { mediaType: 'text/csv', body: '' } }, 'no text/csv is taken'],
  ])('refuses %j', (exchange, message) => {
    expect(contradictions(exchange)).toEqual([message])
  })
})
