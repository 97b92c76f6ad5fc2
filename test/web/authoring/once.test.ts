import { expect, it } from 'vitest'
import { useOneAtATime } from '../../../src/web/application/account/forms/one-at-a-time.ts'

it('A button pressed twice acts once, and can act again after a failure', async () => {
  const done: string[] = []
  const { message, isBusy, during } = useOneAtATime()
  const act = (label: string) =>
    during(async () => {
      done.push(label)
      await Promise.resolve()
      if (label === 'refused') throw new Error(label)
    })
  const acts = [act('first'), act('second')]
  expect(isBusy.value).toBe(true)
  await Promise.all(acts)
  expect(isBusy.value).toBe(false)
  await act('refused')
  expect(message.value).toBe('This page failed: refused')
  await act('third')
  expect(done).toEqual(['first', 'refused', 'third'])
  expect(message.value).toBe('')
})
