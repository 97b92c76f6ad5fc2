const FIELDS = 'input, textarea, select, [contenteditable]'

/** Whether a key is pressed in a field. An event within a shadow tree names the host of the tree as its target. */
export function isWriting(event: Event): boolean {
  const [target] = event.composedPath()
  return target instanceof Element && target.matches(FIELDS)
}
