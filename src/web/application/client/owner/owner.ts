import { shallowRef } from 'vue'
import { Problem } from '../problem.ts'
import { csrf } from '../signed-in.ts'

/** Fields outside of the page: the search in the header, and those of dialogs. */
const IGNORED_FIELDS = 'header, [role=search], [role=alertdialog]'

const typedFields = new Set<HTMLElement>()

if (typeof document !== 'undefined')
  document.addEventListener(
    'input',
    ({ target }) => {
      if (target instanceof HTMLElement && target.matches('input, textarea, .code-editor')) typedFields.add(target)
    },
    { capture: true },
  )

interface Owner {
  readonly id: number
  readonly name: string
  readonly email: string
}

/** The content of the dialog that is shown when the session of the page has ended. */
interface SignInRequest {
  readonly owner: Owner
  /** Name of the person who has signed in instead; null if the session has ended. */
  readonly other: string | null
}

export const signInRequest = shallowRef<SignInRequest | null>(null)

/** The owner of this page: the person who was signed in at its first request. */
let owner: Owner | null = null
let waiting: { readonly promise: Promise<boolean>; readonly end: (isBack: boolean) => void } | null = null

export function hasOwner(): boolean {
  return owner !== null
}

/** Releases the page for the next person, after a sign-in or a sign-out. */
export function forgetOwner(): void {
  owner = null
  settleSignIn(false)
}

/** Resolves to true when the same person has a session again; to false if they decline or another person signs in. */
export function askForSession(): Promise<boolean> {
  if (owner === null) return Promise.resolve(false)
  signInRequest.value ??= { owner, other: null }
  return wait()
}

function wait(): Promise<boolean> {
  if (waiting === null) {
    let end = (_isBack: boolean): void => undefined
    const promise = new Promise<boolean>((resolve) => {
      end = resolve
    })
    waiting = { promise, end }
  }
  return waiting.promise
}

export function settleSignIn(isBack: boolean): void {
  signInRequest.value = null
  waiting?.end(isBack)
  waiting = null
}

/**
 * Requests the signed-in person. The token in the answer is only kept if this is the owner of the page, so that nothing
 * of the owner is sent in the session of another person: the service refuses tokens of other sessions.
 */
export async function askAsOwner(
  request: Request,
  ask: (request: Request) => Promise<Response> = fetch,
): Promise<Response> {
  const response = await ask(request)
  if (!response.ok) return response
  const person = ownerIn(await response.clone().json())
  if (owner !== null && owner.id !== person.id) throw refuseOtherPerson(owner, person)
  owner = person
  csrf.remember(response.headers.get('X-CSRF-Token'))
  if (signInRequest.value !== null) settleSignIn(true)
  return response
}

function refuseOtherPerson(mine: Owner, { name }: Owner): Problem {
  csrf.forget()
  // If nothing is written, nothing is lost by reloading the page for the other person.
  if (!hasTyped()) location.reload()
  else signInRequest.value = { owner: mine, other: name }
  waiting?.end(false)
  waiting = null
  return new OtherPerson(mine.name, name)
}

/** The error if another person than the owner of the page has signed in. */
export class OtherPerson extends Problem {
  constructor(mine: string, other: string) {
    super(401, { code: 'invalid_csrf_token' })
    this.message = `Nothing was sent: ${other} has signed in here since, and this was written by ${mine}.`
  }
}

function ownerIn(answer: unknown): Owner {
  const { id = 0, name = '', email = '' }: Partial<Owner> = typeof answer === 'object' && answer !== null ? answer : {}
  return { id, name, email }
}

/** Whether the session is known to belong to that person. */
export function isOwnedBy(person: number): boolean {
  return csrf.token !== null && owner?.id === person
}

/** Whether the page has fields with typed text. */
function hasTyped(): boolean {
  for (const field of typedFields) if (!field.isConnected) typedFields.delete(field)
  return [...typedFields].some((field) => !isBlank(field) && field.closest(IGNORED_FIELDS) === null)
}

/** The text of a code editor is not visible to the page, so it counts as written. */
function isBlank(field: HTMLElement): boolean {
  return (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) && field.value.trim() === ''
}
