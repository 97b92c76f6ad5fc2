const CONTROLS = '[data-field] :is(input, textarea, select)'

function controls(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(CONTROLS)]
}

function sectionOf(control: Element | undefined | null): string | null {
  return control?.closest('[data-field]')?.getAttribute('data-section') ?? null
}

/** Puts the cursor into the next field, or the one before; the first where it is in none. */
export function stepField(by: 1 | -1): void {
  const all = controls()
  const at = all.findIndex((one) => one === document.activeElement)
  all[at === -1 ? 0 : at + by]?.focus()
}

/** Moves the focus to the next or previous lockable section. */
export function stepSection(by: 1 | -1): void {
  const all = controls()
  const at = all.findIndex((one) => one === document.activeElement)
  const own = sectionOf(all[at])
  const rest = by === 1 ? all.slice(at + 1) : all.slice(0, Math.max(at, 0)).toReversed()
  rest.find((one) => sectionOf(one) !== own)?.focus()
}

/** Focuses an element, and waits for it if it is not shown yet. */
export function focusLater(selector: string, tries = 40): void {
  const found = document.querySelector<HTMLElement>(selector)
  if (found !== null) found.focus()
  else if (tries > 0)
    setTimeout(() => {
      focusLater(selector, tries - 1)
    }, 50)
}

const TRY_MS = 50
const TRIES = 40
/** The field that somebody goes on with in the next rule, until it is there. */
let wanted = ''
let timer: ReturnType<typeof setTimeout> | undefined

/** Opens another rule and keeps the focus in the same field, so that typing continues there. */
export function stepInField(step: () => unknown): unknown {
  const left = document.activeElement
  if (left?.matches(CONTROLS) === true) wanted = left.id
  clearTimeout(timer)
  if (wanted !== '') goOnIn(left, TRIES)
  return step()
}

function goOnIn(left: Element | null, tries: number): void {
  timer = setTimeout(() => {
    const { activeElement } = document
    // Leave the focus alone if it has moved elsewhere; after a removed element it is on the body or a container.
    const isAway = activeElement !== left && activeElement?.matches('body, [tabindex="-1"]') !== true
    const found = document.getElementById(wanted)
    if (!isAway && found !== null && found !== left) found.focus()
    else if (!isAway && tries > 0) {
      goOnIn(left, tries - 1)
      return
    }
    wanted = ''
  }, TRY_MS)
}

/** Whether the step to another rule keeps a field, which then decides what is in view. */
export function keepsField(): boolean {
  return wanted !== ''
}

export function leaveField(): void {
  wanted = ''
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}
