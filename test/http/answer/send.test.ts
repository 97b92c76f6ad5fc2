import { expect, it } from 'vitest'
import { everyone } from '../../../src/http/access.ts'
import { DOCUMENT } from '../../../src/http/answer/answers.ts'
import { send } from '../../../src/http/answer/send.ts'
import { appWith } from '../../support/express-app.ts'
import { startServer } from '../../support/server.ts'

it.each(['GET', 'HEAD'])('The source of a document in pieces is closed after a %s', async (method) => {
  let isOpen = false
  async function* pieces(): AsyncGenerator<string, void> {
    isOpen = true
    try {
      yield await Promise.resolve('first,')
      yield 'second'
    } finally {
      isOpen = false
    }
  }
  const app = appWith(async (_request, response) => {
    const value = { mediaType: 'text/csv', fileName: null, body: pieces() }
    await send(response, { access: everyone, answer: DOCUMENT }, value)
  })
  const answer = await fetch(await startServer(app), { method })
  expect([answer.status, await answer.text()]).toEqual([200, method === 'GET' ? 'first,second' : ''])
  await expect.poll(() => isOpen).toBe(false)
})
