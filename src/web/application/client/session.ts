import { forgetOwner } from './owner/owner.ts'
import { queryClient } from './query-client.ts'
import { forgetSessionEnd } from './session-end.ts'
import { csrf, forgetSession, renewSession } from './signed-in.ts'

/** Forgets all answers after a sign-in or a sign-out, because they were for another person. */
export function changePerson(isSignedIn: boolean): void {
  csrf.forget()
  forgetOwner()
  queryClient.clear()
  forgetSessionEnd()
  if (isSignedIn) renewSession()
  else forgetSession()
}
