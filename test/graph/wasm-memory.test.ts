// @module-tag node

import { runInThisContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import { applySharedWasmLimit, shareWasmLimit } from '../../src/graph/wasm-memory.ts'

/** A module whose memory of one page has no maximum, and is exported as `m`. */
const GROWING = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 0x6d, 2, 0])

/** TypeScript knows WebAssembly only where there is a DOM. */
function run(program: string, ...values: readonly unknown[]): unknown {
  const evaluated: unknown = runInThisContext(program)
  if (typeof evaluated !== 'function') throw new TypeError(`${program} is no function`)
  return Reflect.apply(evaluated, undefined, values)
}

/** Whether a module that is loaded now may grow by so many pages. */
function growsBy(pages: number): unknown {
  const program = `(bytes, pages) => {
    const { m } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports
    try {
      m.grow(pages)
      return true
    } catch {
      return false
    }
  }`
  return run(program, GROWING, pages)
}

it('A thread takes over the memory limit of the others if it needs no more', () => {
  const unbounded = run('() => WebAssembly.Module')
  onTestFinished(() => void run('(kept) => { WebAssembly.Module = kept }', unbounded))
  applySharedWasmLimit(1)
  expect(growsBy(64)).toBe(true)
  shareWasmLimit(2)
  applySharedWasmLimit(3)
  expect(growsBy(64)).toBe(true)
  applySharedWasmLimit(2)
  expect([growsBy(31), growsBy(32)]).toEqual([true, false])
})
