import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { missingPackage } from '../../src/commands/missing-package.ts'

const requireFrom = createRequire(import.meta.url)

function errorOf(name: string): unknown {
  try {
    return requireFrom(name)
  } catch (error) {
    return error
  }
}

describe('missingPackage', () => {
  it('names a package that is required or imported', () => {
    const imported = Object.assign(new Error("Cannot find package 'prom-client' imported from /dist/metrics.js"), {
      code: 'ERR_MODULE_NOT_FOUND',
    })
    const messageFor = (error: unknown): string | undefined => missingPackage(error)?.message
    expect(messageFor(errorOf('@not-installed/part'))).toMatch(/^The package @not-installed\/part is not installed\./)
    expect(messageFor(imported)).toMatch(/^The package prom-client is not installed\./)
  })

  it('is null for a missing module of the program, and for other errors', () => {
    expect(missingPackage(errorOf('./not-there.js'))).toBe(null)
    expect(missingPackage(new Error("Cannot find package 'tea'"))).toBe(null)
  })
})
