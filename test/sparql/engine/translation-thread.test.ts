import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { TranslationThread } from '../../../src/sparql/engine/translation-thread.ts'

describe('TranslationThread', () => {
  it('refuses questions after it was closed', async () => {
    const thread = new TranslationThread(pino({ level: 'silent' }))
    await thread.close()

    const body = new TextEncoder().encode('{"head":{},"boolean":true}')
    const question = { form: 'ASK', body, format: 'text/csv', maxRows: 1, maxBytes: 100 } as const

    await expect(thread.translate(question)).rejects.toMatchObject({ code: 'shutting_down' })
  })
})
