import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { z } from 'zod'

/** How to reach an element that is not visible yet: a key that opens it, or an element to press first. */
interface Access {
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
export interface InputDevice {
  /** Presses a button, follows a link, ticks a box. */
  press(target: Locator, access?: Access): Promise<void>
  write(field: Locator, text: string, access?: Access): Promise<void>
  choose(field: Locator, option: string, access?: Access): Promise<void>
  /** Chooses one of several round boxes. */
  pick(group: Locator, option: string): Promise<void>
  /** Writes a day, as `2026-12-24`. */
  date(field: Locator, day: string): Promise<void>
  upload(field: Locator, file: SentFile): Promise<void>
  /** The element that took the most key presses to reach. */
  readonly longestPath: { readonly keys: number; readonly what: string }
}

export type CreateInputDevice = (page: Page) => InputDevice

export const pointer: CreateInputDevice = (page) => {
  const uncover = async (target: Locator, { through }: Access = {}): Promise<void> => {
    if (through !== undefined && !(await target.isVisible())) await through.click()
  }
  return {
    longestPath: { keys: 0, what: '' },
    press: async (target, access) => {
      await uncover(target, access)
      await target.click()
    },
    write: async (field, text, access) => {
      await uncover(field, access)
      await field.click()
      await field.fill(text)
    },
    choose: async (field, option, access) => {
      await uncover(field, access)
      await field.selectOption({ label: option })
    },
    pick: (group, option) => group.getByRole('radio', { name: option, exact: true }).click(),
    date: (field, day) => field.fill(day),
    upload: async (field, file) => {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), field.click()])
      await chooser.setFiles(file)
    },
  }
}

const MAX_TYPED_LENGTH = 12

/** Fails if an element takes more key presses to reach. */
const MAX_KEY_PRESSES = 60

const BOXES = 'input:is([type=checkbox], [type=radio])'
const IS_WRITING = "document.activeElement.matches('input, textarea, select, .code-editor')"

/** Uses Tab, Enter, Space, arrows, letters and the keys of the editor, always on the focused element. */
class Keyboard implements InputDevice {
  longestPath = { keys: 0, what: '' }
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
    // With a listener, the browser hands over file choosers instead of opening a window.
    page.on('filechooser', () => undefined)
  }

  async press(target: Locator, { key }: Access = {}): Promise<void> {
    if (key !== undefined) {
      await this.#command(key)
      return
    }
    await this.#reach(target)
    await this.#key((await this.#has(target, BOXES)) ? 'Space' : 'Enter')
  }

  async write(field: Locator, text: string, access: Access = {}): Promise<void> {
    await this.#focus(field, access)
    await this.#key('Control+a')
    await this.#key('Delete')
    // Long text is pasted, which is a key press as well.
    if (text.length > MAX_TYPED_LENGTH) await this.#page.keyboard.insertText(text)
    else await this.#page.keyboard.type(text)
    expect(await textIn(field)).toBe(text)
  }

  async choose(field: Locator, option: string, access: Access = {}): Promise<void> {
    await this.#focus(field, access)
    const options = await field.locator('option:enabled').allTextContents()
    const chosen = await field.locator('option:checked').textContent()
    for (let by = options.indexOf(option) - options.indexOf(chosen ?? ''); by !== 0; by -= Math.sign(by))
      await this.#key(by > 0 ? 'ArrowDown' : 'ArrowUp')
    expect(await field.locator('option:checked').textContent()).toBe(option)
  }

  /** Tab leads to the first one, or to the one that is chosen; arrows choose. */
  async pick(group: Locator, option: string): Promise<void> {
    const boxes = group.getByRole('radio')
    const chosen = boxes.and(this.#page.locator(':checked'))
    await this.#reach((await chosen.count()) === 1 ? chosen : boxes.first())
    await this.#key('Space')
    const wanted = group.getByRole('radio', { name: option, exact: true })
    for (let keys = await boxes.count(); keys > 0 && !(await wanted.isChecked()); keys -= 1)
      await this.#key('ArrowDown')
    expect(await wanted.isChecked()).toBe(true)
  }

  /** The order of day and month is that of the browser. */
  async date(field: Locator, day: string): Promise<void> {
    await this.#focus(field, {})
    const [year = '', month = '', date = ''] = day.split('-')
    for (const digits of [month + date + year, date + month + year]) {
      await this.#page.keyboard.type(digits)
      if ((await field.inputValue()) === day) return
      for (const _part of [month, date, year]) await this.#key('ArrowLeft')
    }
    expect(await field.inputValue()).toBe(day)
  }

  async upload(field: Locator, file: SentFile): Promise<void> {
    await this.#reach(field)
    const [chooser] = await Promise.all([this.#page.waitForEvent('filechooser'), this.#key('Space')])
    await chooser.setFiles(file)
  }

  async #focus(field: Locator, { key, through }: Access): Promise<void> {
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

  async #reach(target: Locator): Promise<void> {
    await this.#rememberElement(target)
    for (let keys = 0; keys <= MAX_KEY_PRESSES; keys += 1) {
      const access = await this.#nextKeyTo(target)
      if (access === 'here') {
        if (keys > this.longestPath.keys) this.longestPath = { keys, what: String(target) }
        return
      }
      await this.#key(access)
    }
    throw new Error(`Tab does not get to ${String(target)}`)
  }

  /** The element is remembered in the page, because finding it by name is slow; a redrawn element is found again. */
  async #nextKeyTo(target: Locator): Promise<'here' | 'Tab' | 'Shift+Tab'> {
    const known = NEXT_KEYS.safeParse(await this.#page.evaluate(NEXT_KEY_SCRIPT))
    if (known.success) return known.data
    await this.#rememberElement(target)
    return NEXT_KEYS.parse(await this.#page.evaluate(NEXT_KEY_SCRIPT))
  }

  async #rememberElement(target: Locator): Promise<void> {
    await target.evaluate((element: unknown) => {
      Reflect.set(globalThis, 'sought', element)
    })
  }

  async #has(target: Locator, selector: string): Promise<boolean> {
    return (await target.and(this.#page.locator(selector)).count()) === 1
  }

  #key(key: string): Promise<void> {
    return this.#page.keyboard.press(key)
  }
}

const NEXT_KEYS = z.enum(['here', 'Tab', 'Shift+Tab'])

/** The key that moves the focus towards the element; null if the element is not known. */
const NEXT_KEY_SCRIPT = `(() => {
  const element = window.sought
  if (element?.isConnected !== true) return null
  // Editors of code are in shadow trees.
  const focused = document.activeElement ?? document.body
  if (focused === element || focused.shadowRoot?.activeElement === element) return 'here'
  const place = element.getRootNode().host ?? element
  const isBefore = focused.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_PRECEDING
  return isBefore ? 'Shift+Tab' : 'Tab'
})()`

/** The text of a field; of an editor of code without the indentation that it adds. */
async function textIn(field: Locator): Promise<string> {
  if ((await field.getAttribute('contenteditable')) === null) return field.inputValue()
  return (await field.locator('.cm-line').allTextContents()).map((line) => line.trimStart()).join('\n')
}

export const keyboard: CreateInputDevice = (page) => new Keyboard(page)
