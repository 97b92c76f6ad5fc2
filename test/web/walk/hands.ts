import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { z } from 'zod'

/** How somebody gets at what is not on the screen yet: the key that opens it, or what has to be pressed first. */
interface Way {
  /** A keyboard shortcut of the editor or of a list. */
  readonly key?: string
  readonly through?: Locator
}

export interface SentFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** Actions on a page, by pointer or by keyboard alone. Elements are found by the names that people see. */
export interface Hands {
  /** Presses a button, follows a link, ticks a box. */
  press(what: Locator, way?: Way): Promise<void>
  write(field: Locator, text: string, way?: Way): Promise<void>
  choose(field: Locator, option: string, way?: Way): Promise<void>
  /** Writes a day, as `2026-12-24`. */
  date(field: Locator, day: string): Promise<void>
  give(field: Locator, file: SentFile): Promise<void>
  /** How far apart things were at most: keys between them. */
  readonly farthest: { readonly keys: number; readonly what: string }
}

export type HandsOf = (page: Page) => Hands

export const pointer: HandsOf = (page) => {
  const uncover = async (what: Locator, { through }: Way = {}): Promise<void> => {
    if (through !== undefined && !(await what.isVisible())) await through.click()
  }
  return {
    farthest: { keys: 0, what: '' },
    press: async (what, way) => {
      await uncover(what, way)
      await what.click()
    },
    write: async (field, text, way) => {
      await uncover(field, way)
      await field.click()
      await field.fill(text)
    },
    choose: async (field, option, way) => {
      await uncover(field, way)
      await field.selectOption({ label: option })
    },
    date: (field, day) => field.fill(day),
    give: async (field, file) => {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), field.click()])
      await chooser.setFiles(file)
    },
  }
}

const MOST_TYPED = 12

/** More than anybody would press a key for. */
const MOST_KEYS = 60

const BOXES = 'input:is([type=checkbox], [type=radio])'
const IS_WRITING = "document.activeElement.matches('input, textarea, select')"

/** Tab, Enter, Space, arrows, letters, and the keys of the editor; what has the focus is what is used. */
class Keyboard implements Hands {
  farthest = { keys: 0, what: '' }
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
    // From now on the browser hands choosers over. Asked for it with the key, it may open one that nobody sees.
    page.on('filechooser', () => undefined)
  }

  async press(what: Locator, { key }: Way = {}): Promise<void> {
    if (key !== undefined) {
      await this.#command(key)
      return
    }
    await this.#reach(what)
    await this.#key((await this.#has(what, BOXES)) ? 'Space' : 'Enter')
  }

  async write(field: Locator, text: string, way: Way = {}): Promise<void> {
    await this.#arrive(field, way)
    await this.#key('Control+a')
    await this.#key('Delete')
    // Long text is pasted, which is a key press as well.
    if (text.length > MOST_TYPED) await this.#page.keyboard.insertText(text)
    else await this.#page.keyboard.type(text)
    expect(await field.inputValue()).toBe(text)
  }

  async choose(field: Locator, option: string, way: Way = {}): Promise<void> {
    await this.#arrive(field, way)
    const options = await field.locator('option:enabled').allTextContents()
    const chosen = await field.locator('option:checked').textContent()
    for (let by = options.indexOf(option) - options.indexOf(chosen ?? ''); by !== 0; by -= Math.sign(by))
      await this.#key(by > 0 ? 'ArrowDown' : 'ArrowUp')
    expect(await field.locator('option:checked').textContent()).toBe(option)
  }

  /** The order of day and month is that of the browser. */
  async date(field: Locator, day: string): Promise<void> {
    await this.#arrive(field, {})
    const [year = '', month = '', date = ''] = day.split('-')
    for (const digits of [month + date + year, date + month + year]) {
      await this.#page.keyboard.type(digits)
      if ((await field.inputValue()) === day) return
      for (const _part of [month, date, year]) await this.#key('ArrowLeft')
    }
    expect(await field.inputValue()).toBe(day)
  }

  async give(field: Locator, file: SentFile): Promise<void> {
    await this.#reach(field)
    const [chooser] = await Promise.all([this.#page.waitForEvent('filechooser'), this.#key('Space')])
    await chooser.setFiles(file)
  }

  async #arrive(field: Locator, { key, through }: Way): Promise<void> {
    if (key !== undefined) {
      await this.#command(key)
      await expect.poll(() => this.#has(field, ':focus')).toBe(true)
    } else if (through !== undefined && !(await field.isVisible())) await this.press(through)
    await this.#reach(field)
  }

  async #command(key: string): Promise<void> {
    const isLetter = key.length === 1
    if (isLetter && (await this.#page.evaluate(IS_WRITING)) === true) await this.#key('Escape')
    await this.#key(key)
  }

  async #reach(what: Locator): Promise<void> {
    await this.#seek(what)
    for (let keys = 0; keys <= MOST_KEYS; keys += 1) {
      const way = await this.#wayTo(what)
      if (way === 'here') {
        if (keys > this.farthest.keys) this.farthest = { keys, what: String(what) }
        return
      }
      await this.#key(way)
    }
    throw new Error(`Tab does not get to ${String(what)}`)
  }

  /** The element is remembered in the page, because finding it by name is slow; a redrawn element is found again. */
  async #wayTo(what: Locator): Promise<'here' | 'Tab' | 'Shift+Tab'> {
    const known = WAYS.safeParse(await this.#page.evaluate(WAY))
    if (known.success) return known.data
    await this.#seek(what)
    return WAYS.parse(await this.#page.evaluate(WAY))
  }

  async #seek(what: Locator): Promise<void> {
    await what.evaluate((element: unknown) => {
      Reflect.set(globalThis, 'sought', element)
    })
  }

  async #has(what: Locator, selector: string): Promise<boolean> {
    return (await what.and(this.#page.locator(selector)).count()) === 1
  }

  #key(key: string): Promise<void> {
    return this.#page.keyboard.press(key)
  }
}

const WAYS = z.enum(['here', 'Tab', 'Shift+Tab'])

/** The key that moves the focus towards the element; null if the element is not known. */
const WAY = `(() => {
  const element = window.sought
  if (element?.isConnected !== true) return null
  const focused = document.activeElement ?? document.body
  if (focused === element) return 'here'
  const isBefore = focused.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING
  return isBefore ? 'Shift+Tab' : 'Tab'
})()`

export const keyboard: HandsOf = (page) => new Keyboard(page)
