import { expect, it } from 'vitest'
import { once } from '../../../src/web/application/comments/once.ts'

it('A button pressed twice acts once, and can act again after a failure', async () => {
  const done: string[] = []
  const act = once(async (what: string) => {
    done.push(what)
    await Promise.resolve()
    if (what === 'refused') throw new Error(what)
  })
  await Promise.all([act('first'), act('second')])
  await expect(act('refused')).rejects.toThrow('refused')
  await act('third')
  expect(done).toEqual(['first', 'refused', 'third'])
})
