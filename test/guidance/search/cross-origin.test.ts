import { expect, it } from 'vitest'
import { guidanceService } from '../../support/guidance.ts'

const guidance = guidanceService()

it('A search accepts JSON from pages of any origin, which can read its problems', async () => {
  const { headers: preflight } = await guidance().service.get('/api/batch', { method: 'OPTIONS' })
  expect(preflight).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'access-control-allow-methods': 'GET, POST, HEAD, OPTIONS',
  })
  const { status, headers } = await guidance().nobody.call('POST', '/api/batch', { body: {} })
  expect([status, headers['access-control-allow-origin']]).toEqual([400, '*'])
})
