import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { z } from 'zod'

/** A page of WebAssembly, in bytes (WebAssembly Core Specification, §4.2.8). */
const PAGE = 65_536
/** Offset of the sections of a module, after its magic number and version. */
const SECTIONS = 8
const MEMORY_SECTION = 5

const SHARED_LIMIT = 'parapet: bound of WebAssembly in megabytes'

/**
 * Sets the common limit for threads that are started from now on. The limit is part of the bytes of a module, and V8
 * compiles equal modules once: a thread with another limit takes 10 MB and a third of a second more.
 */
export function shareWasmLimit(megabytes: number): void {
  setEnvironmentData(SHARED_LIMIT, megabytes)
}

/** Limits this thread to the common limit, unless it may need more. */
export function applySharedWasmLimit(needMegabytes: number): void {
  const megabytes = z.number().optional().parse(getEnvironmentData(SHARED_LIMIT))
  if (megabytes !== undefined && needMegabytes <= megabytes) limitWasmMemory(megabytes)
}

/**
 * Limits the memory of every WebAssembly module that this thread loads from now on. The limits of a worker only apply to
 * the heap of JavaScript, and modules of libraries may grow to 4 GB. A module that exceeds the limit throws a
 * `WebAssembly.RuntimeError` and cannot be used any more.
 */
export function limitWasmMemory(megabytes: number): void {
  const pages = Math.floor((megabytes * 1024 * 1024) / PAGE)
  const library: unknown = Reflect.get(globalThis, 'WebAssembly')
  if (typeof library !== 'object' || library === null) throw new Error('There is no WebAssembly')
  const compile: unknown = Reflect.get(library, 'Module')
  if (typeof compile !== 'function') throw new Error('There are no modules of WebAssembly')
  const bounded = new Proxy(compile, {
    construct: (target, [source], newTarget): object => {
      if (!(source instanceof Uint8Array)) throw new Error('The module is not there as bytes')
      const memory: unknown = Reflect.construct(target, [withMaximum(source, pages)], newTarget)
      if (typeof memory !== 'object' || memory === null) throw new Error('There is no module')
      return memory
    },
  })
  Reflect.set(library, 'Module', bounded)
}

/** The module with another maximum in its memory section, which has one memory (§5.5.8). */
export function withMaximum(module: Uint8Array, pages: number): Uint8Array {
  for (let offset = SECTIONS; offset < module.length;) {
    const length = readNumber(module, offset + 1)
    const end = length.next + length.value
    if (module[offset] !== MEMORY_SECTION) {
      offset = end
      continue
    }
    // The number of memories, then whether there is a maximum.
    const minimum = readNumber(module, readNumber(module, length.next).next + 1)
    const limits = [1, 1, ...writeNumber(minimum.value), ...writeNumber(pages)]
    const section = [MEMORY_SECTION, ...writeNumber(limits.length), ...limits]
    return Uint8Array.from([...module.subarray(0, offset), ...section, ...module.subarray(end)])
  }
  throw new Error('The module has no memory of its own')
}

/** Reads an unsigned number in LEB128; `next` is the offset after it. */
function readNumber(bytes: Uint8Array, from: number): { value: number; next: number } {
  let value = 0
  for (let offset = from, factor = 1; ; offset += 1, factor *= 128) {
    const byte = bytes[offset] ?? 0
    value += (byte & 127) * factor
    if (byte < 128) return { value, next: offset + 1 }
  }
}

function writeNumber(value: number): readonly number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...writeNumber(Math.floor(value / 128))]
}
