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

/** The same for what is locked together. */
export function stepSection(by: 1 | -1): void {
  const all = controls()
  const at = all.findIndex((one) => one === document.activeElement)
  const own = sectionOf(all[at])
  const rest = by === 1 ? all.slice(at + 1) : all.slice(0, Math.max(at, 0)).toReversed()
  rest.find((one) => sectionOf(one) !== own)?.focus()
}

export function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus()
}

/** What is shown a little later is waited for. */
export function focusLater(selector: string, tries = 40): void {
  const found = document.querySelector<HTMLElement>(selector)
  if (found !== null) found.focus()
  else if (tries > 0)
    setTimeout(() => {
      focusLater(selector, tries - 1)
    }, 50)
}

export function leaveField(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}
