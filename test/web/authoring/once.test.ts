import { expect, it } from 'vitest'
import { useOneAtATime } from '../../../src/web/application/account/forms/one-at-a-time.ts'

it('A button pressed twice acts once, and can act again after a failure', async () => {
  const done: string[] = []
  const { message, isBusy, during } = useOneAtATime()
  const act = (what: string) =>
    during(async () => {
      done.push(what)
      await Promise.resolve()
      if (what === 'refused') throw new Error(what)
    })
  const both = [act('first'), act('second')]
  expect(isBusy.value).toBe(true)
  await Promise.all(both)
  expect(isBusy.value).toBe(false)
  await act('refused')
  expect(message.value).toBe('This page failed: refused')
  await act('third')
  expect(done).toEqual(['first', 'refused', 'third'])
  expect(message.value).toBe('')
})
