import { expect, it } from 'vitest'
import { lookUp } from '../../src/mcp/tools/records.ts'

it.each([
  [['D3-AL', 'T1110'], { query: { ids: 'D3-AL,T1110', view: 'summary' } }],
  [['Exec, Copy', 'T1110'], { body: { ids: ['Exec, Copy', 'T1110'], view: 'summary' } }],
])('The names %j are looked up one by one, also with a comma in them', (names, request) => {
  expect(lookUp(names)).toEqual({ path: '/api/batch', ...request })
})
