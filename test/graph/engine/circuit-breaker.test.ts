import { describe, expect, it } from 'vitest'
import { CircuitBreaker } from '../../../src/graph/engine/circuit-breaker.ts'

describe('A breaker', () => {
  it('opens after three failures in a row, then waits longer each time', () => {
    let now = 0
    const breaker = new CircuitBreaker(() => now)
    const fail = (times: number): void => {
      for (let count = 0; count < times; count += 1) breaker.failed()
    }
    fail(2)
    breaker.succeeded()
    fail(2)
    expect([breaker.isOpen, breaker.waitMs]).toEqual([false, 0])
    fail(1)
    expect([breaker.isOpen, breaker.waitMs]).toEqual([true, 1000])
    now = 1000
    expect(breaker.waitMs).toBe(0)
    breaker.beginAttempt()
    expect(breaker.waitMs).toBe(1000)
    fail(1)
    expect(breaker.waitMs).toBe(2000)
    fail(30)
    expect(breaker.waitMs).toBe(60_000)
    breaker.succeeded()
    expect([breaker.isOpen, breaker.waitMs]).toEqual([false, 0])
  })
})
