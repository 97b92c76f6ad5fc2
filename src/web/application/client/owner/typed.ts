/** Fields that belong to no page: the search in the header, and those of dialogs. */
const ASIDE = 'header, [role=search], [role=alertdialog]'

const typed = new Set<HTMLInputElement | HTMLTextAreaElement>()

if (typeof document !== 'undefined')
  document.addEventListener(
    'input',
    ({ target }) => {
      if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) typed.add(target)
    },
    { capture: true },
  )

/** Whether the page has fields in which somebody has written, and still something stands. */
export function hasTyped(): boolean {
  for (const field of typed) if (!field.isConnected) typed.delete(field)
  return [...typed].some((field) => field.value.trim() !== '' && field.closest(ASIDE) === null)
}
