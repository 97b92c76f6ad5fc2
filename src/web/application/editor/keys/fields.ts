const CONTROLS = '[data-field] :is(input, textarea, select, .code-editor)'

function controls(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(CONTROLS)].filter((one) => one.checkVisibility())
}

function sectionOf(control: Element | undefined | null): string | null {
  return control?.closest('[data-field]')?.getAttribute('data-section') ?? null
}

/** Focuses the next or previous field; the first if none has the focus. */
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
const MAX_ATTEMPTS = 40
/** Id of the field to focus in the next rule, until it is shown. */
let keptFieldId = ''
let timer: ReturnType<typeof setTimeout> | undefined

/** Opens another rule and keeps the focus in the same field, so that typing continues there. */
export function stepInField(step: () => unknown): unknown {
  const previous = document.activeElement
  if (previous?.matches(CONTROLS) === true) keptFieldId = previous.id
  clearTimeout(timer)
  if (keptFieldId !== '') focusWhenShown(previous, MAX_ATTEMPTS)
  return step()
}

function focusWhenShown(previous: Element | null, tries: number): void {
  timer = setTimeout(() => {
    const { activeElement } = document
    // Leave the focus alone if it has moved elsewhere; after a removed element it is on the body or a container.
    const isAway = activeElement !== previous && activeElement?.matches('body, [tabindex="-1"]') !== true
    const found = document.getElementById(keptFieldId)
    if (!isAway && found !== null && found !== previous) {
      found.closest('details')?.setAttribute('open', '')
      found.focus()
    } else if (!isAway && tries > 0) {
      focusWhenShown(previous, tries - 1)
      return
    }
    keptFieldId = ''
  }, TRY_MS)
}

/** Whether the step to another rule keeps a field, which then decides what is in view. */
export function isFieldKept(): boolean {
  return keptFieldId !== ''
}

export function leaveField(): void {
  keptFieldId = ''
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}
