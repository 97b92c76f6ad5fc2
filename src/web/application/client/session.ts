import { forgetPerson } from './person.ts'
import { queryClient } from './query-client.ts'
import { csrf, forgetSession, rememberSession } from './signed-in.ts'

/** After a sign-in or a sign-out: nothing that was asked before was asked by the same person. */
export function changePerson(isSignedIn: boolean): void {
  csrf.forget()
  forgetPerson()
  queryClient.clear()
  if (isSignedIn) rememberSession()
  else forgetSession()
}
