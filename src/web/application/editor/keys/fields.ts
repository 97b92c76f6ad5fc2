const CONTROLS = '[data-field] :is(input, textarea, select, .code-editor)'

function visibleControls(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) => control.checkVisibility())
}

function sectionOf(control: Element | undefined | null): string | null {
  return control?.closest('[data-field]')?.getAttribute('data-section') ?? null
}

/** Focuses the next or previous field; the first if none has the focus. */
export function stepField(by: 1 | -1): void {
  const controls = visibleControls()
  const index = controls.findIndex((control) => control === document.activeElement)
  controls[index === -1 ? 0 : index + by]?.focus()
}

/** Moves the focus to the next or previous lockable section. */
export function stepSection(by: 1 | -1): void {
  const controls = visibleControls()
  const index = controls.findIndex((control) => control === document.activeElement)
  const section = sectionOf(controls[index])
  const following = by === 1 ? controls.slice(index + 1) : controls.slice(0, Math.max(index, 0)).toReversed()
  following.find((control) => sectionOf(control) !== section)?.focus()
}

/** Focuses an element, and waits for it if it is not shown yet. */
export function focusLater(selector: string, tries = 40): void {
  const element = document.querySelector<HTMLElement>(selector)
  if (element !== null) element.focus()
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
    const element = document.getElementById(keptFieldId)
    if (!isAway && element !== null && element !== previous) {
      element.closest('details')?.setAttribute('open', '')
      element.focus()
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
