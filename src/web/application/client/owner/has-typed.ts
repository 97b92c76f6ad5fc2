/** Fields that belong to no page: the search in the header, and those of dialogs. */
const IGNORED_FIELDS = 'header, [role=search], [role=alertdialog]'

const typed = new Set<HTMLElement>()

if (typeof document !== 'undefined')
  document.addEventListener(
    'input',
    ({ target }) => {
      if (target instanceof HTMLElement && target.matches('input, textarea, .code-editor')) typed.add(target)
    },
    { capture: true },
  )

/** Whether the page has fields in which somebody has written, and still something stands. */
export function hasTyped(): boolean {
  for (const field of typed) if (!field.isConnected) typed.delete(field)
  return [...typed].some((field) => !isBlank(field) && field.closest(IGNORED_FIELDS) === null)
}

/** An editor of code has its text where the page does not see it: it may have some. */
function isBlank(field: HTMLElement): boolean {
  return (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) && field.value.trim() === ''
}
