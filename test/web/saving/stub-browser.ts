import { afterAll, beforeAll, beforeEach, vi } from 'vitest'

/** Storage of a browser: its keys are its entries, as in the Web Storage API. */
export const storage: Record<string, unknown> = {}

let hasSpace = true

Object.defineProperties(storage, {
  getItem: { value: (key: string) => storage[key] ?? null },
  setItem: {
    value: (key: string, value: string) => {
      if (!hasSpace) throw new Error('The storage is full')
      storage[key] = value
    },
  },
  removeItem: { value: (key: string) => Reflect.deleteProperty(storage, key) },
})

export function fillStorage(): void {
  hasSpace = false
}

class SilentChannel extends EventTarget {
  postMessage(): void {
    // There are no other windows.
  }
}

/** Before the tests of a file import modules about drafts, replaces the parts of a browser that these need. */
export function stubBrowser(): void {
  beforeAll(() => {
    vi.useFakeTimers()
    // As after a reload.
    storage['parapet.window'] = 'earlier'
    vi.stubGlobal('localStorage', storage)
    vi.stubGlobal('sessionStorage', storage)
    vi.stubGlobal('BroadcastChannel', SilentChannel)
    vi.stubGlobal('addEventListener', () => undefined)
  })
  beforeEach(() => {
    hasSpace = true
    for (const key of Object.keys(storage)) Reflect.deleteProperty(storage, key)
  })
  afterAll(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
}
