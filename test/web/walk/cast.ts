import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Surfer } from '../../support/browser.ts'
import { PASSWORD } from '../../support/guidance.ts'
import type { InputDevice, CreateInputDevice } from './input-device.ts'

/** Somebody who takes part, at one page of a browser of their own. */
export interface Player {
  readonly name: string
  readonly page: Page
  readonly input: InputDevice
  /** Refused requests and errors of the pages. */
  readonly troubles: readonly string[]
  /** Questions of the pages, all of which are answered with yes. */
  readonly asked: readonly string[]
  /** The number of presses by a pointer. */
  readonly pointed: () => Promise<unknown>
  /** Waits until `count` files have been downloaded since `act` began. Returns them by name. */
  readonly saves: (count: number, act: () => Promise<void>) => Promise<ReadonlyMap<string, Buffer>>
}

const COUNTING = `addEventListener('pointerdown', () => {
  sessionStorage.setItem('pointed', String(Number(sessionStorage.getItem('pointed')) + 1))
}, true)`

/** Sits down at the first page, and signs in from there. */
export async function enter(surfer: Surfer, name: string, createInputDevice: CreateInputDevice): Promise<Player> {
  await surfer.context.addInitScript(COUNTING)
  const { page, troubles } = await surfer.open('/')
  page.setDefaultTimeout(30_000)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.message())
    void dialog.accept()
  })
  const input = createInputDevice(page)
  await input.press(page.getByRole('link', { name: 'Sign in' }))
  await input.write(page.getByLabel('E-mail address'), `${name.toLowerCase()}@example.org`)
  await input.write(page.getByLabel('Password', { exact: true }), PASSWORD)
  await input.press(page.getByRole('button', { name: 'Sign in', exact: true }))
  await page.getByRole('heading', { name: 'My work', level: 1 }).waitFor()
  const pointed = () => page.evaluate("Number(sessionStorage.getItem('pointed'))")
  return { name, page, input, troubles, asked, pointed, saves: (count, act) => saved(page, count, act) }
}

async function saved(page: Page, count: number, act: () => Promise<void>): Promise<ReadonlyMap<string, Buffer>> {
  const downloads: Download[] = []
  const keep = (download: Download): void => {
    downloads.push(download)
  }
  page.on('download', keep)
  await act()
  // The page may say that it has saved a file before the browser tells of the download.
  await expect.poll(() => downloads.length).toBe(count)
  page.off('download', keep)
  const files = downloads.map(async (download) => {
    return [download.suggestedFilename(), await readFile(await download.path())] as const
  })
  return new Map(await Promise.all(files))
}
