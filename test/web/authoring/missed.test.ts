// @module-tag long

import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openAs } from '../../support/author-window.ts'
import { makeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser } from '../../support/browser.ts'
import { guidanceService } from '../../support/guidance.ts'

const guidance = guidanceService()
const surf = chromiumBrowser()
const SLOW_MS = 900

it.runIf(browserFound)('A page loads the events from before its first stream of events', async () => {
  const ada = await guidance().signUp('Ada')
  const projectId = await guidance().project(ada)
  const { id, rules } = await makeComponent(guidance(), ada, { projectId })
  const surfer = await surf(guidance().service.baseUrl)
  let refused = 0
  await surfer.context.route('**/api/events*', (route) => {
    refused += 1
    return route.abort()
  })
  const page = await openAs(surfer, ada.email, `/components/${id}?rule=TEAP-00-000001`)
  const status = page.getByRole('combobox', { name: 'Status' })
  await status.waitFor()
  await expect.poll(() => refused).toBeGreaterThan(0)
  const body = { rule: { status: 'Applicable - Does Not Meet' } }
  expect((await ada.call('PUT', `/rules/${rules[0]}`, { body })).status).toBe(200)
  await surfer.context.unroute('**/api/events*')
  await expect.poll(() => status.inputValue(), { timeout: 20_000 }).toBe('Applicable - Does Not Meet')
})

it.runIf(browserFound)('A page whose data and stream are equally slow loads the data only once', async () => {
  const ada = await guidance().signUp('Ada')
  const projectId = await guidance().project(ada)
  const { id, rules } = await makeComponent(guidance(), ada, { projectId })
  const surfer = await surf(guidance().service.baseUrl)
  let startStream = (): void => undefined
  const isStreamRequested = new Promise<void>((resolve) => {
    startStream = resolve
  })
  const requested: string[] = []
  await surfer.context.route(/\/(?:components|rules)\//, async (route) => {
    const request = route.request()
    if (request.resourceType() !== 'document') {
      requested.push(new URL(request.url()).pathname + new URL(request.url()).search)
      await isStreamRequested
      await setTimeout(SLOW_MS)
    }
    await route.continue()
  })
  await surfer.context.route('**/api/events*', async (route) => {
    startStream()
    await setTimeout(SLOW_MS)
    await route.continue()
  })
  const page = await openAs(surfer, ada.email, `/components/${id}?rule=TEAP-00-000001`)
  const status = page.getByRole('combobox', { name: 'Status' })
  await status.waitFor()
  const body = { rule: { status: 'Applicable - Does Not Meet' } }
  expect((await ada.call('PUT', `/rules/${rules[0]}`, { body })).status).toBe(200)
  // The event shows that the stream is open.
  await expect.poll(() => status.inputValue()).toBe('Applicable - Does Not Meet')
  expect(requested.filter((path) => path.endsWith('/rules_picker'))).toHaveLength(1)
})
