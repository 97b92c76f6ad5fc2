import { forgetOwner } from './owner/owner.ts'
import { queryClient } from './query-client.ts'
import { forgetSessionEnd } from './session-end.ts'
import { csrf, forgetSession, renewSession } from './signed-in.ts'

/** After a sign-in or a sign-out: nothing that was asked before was asked by the same person. */
export function changePerson(isSignedIn: boolean): void {
  csrf.forget()
  forgetOwner()
  queryClient.clear()
  forgetSessionEnd()
  if (isSignedIn) renewSession()
  else forgetSession()
}
