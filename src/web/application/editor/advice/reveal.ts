/** Focuses a field of the form, and selects a range of its text. */
export function reveal({
  field,
  start,
  end,
}: {
  readonly field: string
  readonly start: number
  readonly end: number
}): void {
  const control = document.getElementById(`field-${field}`)
  if (control instanceof HTMLTextAreaElement || control instanceof HTMLInputElement) {
    // Browsers scroll to the cursor when a field gets the focus.
    control.blur()
    control.setSelectionRange(start, start)
    control.focus()
    control.setSelectionRange(start, end)
  } else if (control instanceof HTMLSelectElement) control.focus()
  else selectRead(control, { start, end })
}

/** Selects a range in a read-only field, which is text of the page. */
function selectRead(label: HTMLElement | null, { start, end }: { readonly start: number; readonly end: number }): void {
  const element = label?.closest('[data-field]')?.querySelector<HTMLElement>('.read')
  const words = element?.firstChild
  if (element === null || element === undefined || !(words instanceof Text)) {
    label?.scrollIntoView({ block: 'center' })
    return
  }
  element.focus()
  const length = words.length
  const [from, to] = [Math.min(start, length), Math.min(end, length)]
  document.getSelection()?.setBaseAndExtent(words, from, words, to)
  const range = document.createRange()
  range.setStart(words, from)
  range.setEnd(words, to)
  const distance = { top: range.getBoundingClientRect().top - window.innerHeight / 2 }
  // In a wide window the pane scrolls, in a narrow one the page.
  element.closest('.pane')?.scrollBy(distance)
  window.scrollBy({ top: range.getBoundingClientRect().top - window.innerHeight / 2 })
}
