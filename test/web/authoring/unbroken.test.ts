import { describe, expect, it } from 'vitest'
import { shortenParts } from '../../../src/web/application/parts/compare/words.ts'
import { isUnbroken, withoutUnbroken } from '../../../src/web/application/parts/prose/unbroken.ts'
import { openAs } from '../../support/author-window.ts'
import { makeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser } from '../../support/browser.ts'
import { alter } from '../../support/guidance-records.ts'
import { guidanceService } from '../../support/guidance.ts'

const guidance = guidanceService()
const surf = chromiumBrowser()
/** Each letter has another form by what stands beside it: 20,000 take Chromium 3 seconds for each place that breaks them. */
const JOINED = 'ش'.repeat(20_000)

describe('A text without a space', () => {
  it('is one with two thousand letters in a row', () => {
    expect(isUnbroken('word '.repeat(1000))).toBe(false)
    expect(isUnbroken(`a\n${'x'.repeat(1999)}\t${'y'.repeat(1999)}`)).toBe(false)
    expect(isUnbroken(`a\n${'x'.repeat(2000)}`)).toBe(true)
  })

  it('is shown by its ends in comparisons, and can be opened whole', () => {
    expect(withoutUnbroken(`a ${'x'.repeat(3000)}\nb`)).toBe(`a ${'x'.repeat(160)}…${'x'.repeat(160)}\nb`)
    const added = { kind: 'added', text: 'x'.repeat(3000) } as const
    expect(shortenParts([added])).toEqual({
      parts: [{ kind: 'added', text: `${'x'.repeat(160)}…${'x'.repeat(160)}` }],
      isCut: true,
    })
    const word = { kind: 'added', text: 'x'.repeat(300) } as const
    expect(shortenParts([word])).toEqual({ parts: [word], isCut: false })
  })

  it.runIf(browserFound)('is pasted into a field and compared with the SRG without delay', async () => {
    const ada = await guidance().signUp('Ada')
    const projectId = await guidance().project(ada)
    const { id } = await makeComponent(guidance(), ada, { projectId, rules: 1 })
    await alter(guidance(), async (writer) => {
      const status = 'Applicable - Configurable'
      await writer.updateTable('rules').set({ status }).where('component_id', '=', id).execute()
    })
    const surfer = await surf(guidance().service.baseUrl)
    const path = `/components/${id}?rule=TEAP-00-000001&panel=srg`
    const page = await openAs(surfer, ada.email, path)
    const tools = await page.context().newCDPSession(page)
    await tools.send('Performance.enable')
    const laidOut = async (): Promise<number> => {
      const { metrics } = await tools.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'LayoutDuration')?.value ?? Number.NaN
    }
    await page.getByRole('textbox', { name: 'Check', exact: true }).fill('')
    const before = await laidOut()
    await page.keyboard.insertText(JOINED)
    await page.locator('ins', { hasText: '…' }).waitFor()
    expect((await laidOut()) - before).toBeLessThan(1)
    // Words have their lines again.
    const field = page.getByRole('textbox', { name: 'Check', exact: true })
    await field.fill('Look at the pot.')
    await page.locator('textarea[data-unbroken]').waitFor({ state: 'detached' })
  })
})
