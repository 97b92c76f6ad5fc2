import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { z } from 'zod'

/** A page of WebAssembly, in bytes (WebAssembly Core Specification, §4.2.8). */
const PAGE = 65_536
/** Sections of a module begin here, after its magic number and version. */
const SECTIONS = 8
const MEMORY_SECTION = 5

const SHARED = 'parapet: bound of WebAssembly in megabytes'

/**
 * For threads that are started from now on: the bound that most of them have. V8 compiles modules whose bytes are the same
 * once, and the bound is among the bytes: each thread with another one takes 10 MB more, and a third of a second.
 */
export function shareWasmBound(megabytes: number): void {
  setEnvironmentData(SHARED, megabytes)
}

/** Bounds this thread as most are, if that is as much as it may need. */
export function boundWasmAsOthers(needMegabytes: number): void {
  const megabytes = z.number().optional().parse(getEnvironmentData(SHARED))
  if (megabytes !== undefined && needMegabytes <= megabytes) boundWasmMemory(megabytes)
}

/**
 * Gives the memory of every WebAssembly module that this thread loads from now on an upper bound. The limits of a
 * worker are for the heap of JavaScript, and the modules of libraries may grow to 4 GB. Beyond the bound a module
 * traps: it throws a `WebAssembly.RuntimeError` and is of no use any more.
 */
export function boundWasmMemory(megabytes: number): void {
  const pages = Math.floor((megabytes * 1024 * 1024) / PAGE)
  const library: unknown = Reflect.get(globalThis, 'WebAssembly')
  if (typeof library !== 'object' || library === null) throw new Error('There is no WebAssembly')
  const compile: unknown = Reflect.get(library, 'Module')
  if (typeof compile !== 'function') throw new Error('There are no modules of WebAssembly')
  const bounded = new Proxy(compile, {
    construct: (target, [source], newTarget): object => {
      if (!(source instanceof Uint8Array)) throw new Error('The module is not there as bytes')
      const made: unknown = Reflect.construct(target, [withMaximum(source, pages)], newTarget)
      if (typeof made !== 'object' || made === null) throw new Error('There is no module')
      return made
    },
  })
  Reflect.set(library, 'Module', bounded)
}

/** The module with another maximum in its memory section, which has one memory (§5.5.8). */
export function withMaximum(module: Uint8Array, pages: number): Uint8Array {
  for (let at = SECTIONS; at < module.length;) {
    const length = readNumber(module, at + 1)
    const end = length.next + length.value
    if (module[at] !== MEMORY_SECTION) {
      at = end
      continue
    }
    // The number of memories, then whether there is a maximum.
    const minimum = readNumber(module, readNumber(module, length.next).next + 1)
    const limits = [1, 1, ...writeNumber(minimum.value), ...writeNumber(pages)]
    const section = [MEMORY_SECTION, ...writeNumber(limits.length), ...limits]
    return Uint8Array.from([...module.subarray(0, at), ...section, ...module.subarray(end)])
  }
  throw new Error('The module has no memory of its own')
}

/** An unsigned number in LEB128, and where what follows begins. */
function readNumber(bytes: Uint8Array, from: number): { value: number; next: number } {
  let value = 0
  for (let at = from, factor = 1; ; at += 1, factor *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte & 127) * factor
    if (byte < 128) return { value, next: at + 1 }
  }
}

function writeNumber(value: number): readonly number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...writeNumber(Math.floor(value / 128))]
}
