/** The files that were chosen. Empties the control, so that the same file can be chosen again after it was changed. */
export function chosenFiles({ target }: Event): readonly File[] {
  if (!(target instanceof HTMLInputElement)) return []
  const files = [...(target.files ?? [])]
  target.value = ''
  return files
}
