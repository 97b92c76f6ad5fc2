import { expect, it } from 'vitest'
import { once } from '../../../src/web/application/comments/once.ts'

it('A button pressed twice acts once, and can act again after a failure', async () => {
  const done: string[] = []
  const [act, isBusy] = once(async (what: string) => {
    done.push(what)
    await Promise.resolve()
    if (what === 'refused') throw new Error(what)
  })
  const both = [act('first'), act('second')]
  expect(isBusy.value).toBe(true)
  await Promise.all(both)
  expect(isBusy.value).toBe(false)
  await expect(act('refused')).rejects.toThrow('refused')
  await act('third')
  expect(done).toEqual(['first', 'refused', 'third'])
})
