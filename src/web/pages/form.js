// Sends forms, and shows what is wrong beside the fields.

/* global FormData */
import { Problem } from './api.js'

/** Shows a form that calls `send` with its values, once at a time. */
export function useForm(form, send) {
  const alert = document.createElement('p')
  alert.className = 'message'
  alert.setAttribute('role', 'alert')
  form.prepend(alert)
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.getAttribute('aria-busy') !== 'true') void submit(form, alert, send)
  })
}

async function submit(form, alert, send) {
  form.setAttribute('aria-busy', 'true')
  clear(form, alert)
  try {
    await send(Object.fromEntries(new FormData(form)))
  } catch (error) {
    showFailure(form, alert, error)
  } finally {
    form.removeAttribute('aria-busy')
  }
}

function clear(form, alert) {
  alert.textContent = ''
  for (const shown of form.querySelectorAll('.error')) shown.remove()
  for (const control of form.querySelectorAll('[aria-invalid]')) {
    control.removeAttribute('aria-invalid')
    describe(control, control.dataset.hint ?? '')
  }
}

/** The first field with an error gets the focus; what belongs to no field stands above them all. */
function showFailure(form, alert, error) {
  const errors = errorsOf(error)
  const fields = Map.groupBy(errors, ({ field }) => controlOf(form, field))
  const loose = (fields.get(null) ?? []).map(({ message }) => message)
  fields.delete(null)
  for (const [control, faults] of fields) showFaults(control, faults)
  const title = error.problem?.toast?.title ?? error.message
  alert.textContent = [errors.length > 0 ? title : error.message, ...loose].join('\n')
  form.querySelector('[aria-invalid]')?.focus()
}

function errorsOf(error) {
  if (!(error instanceof Problem)) return []
  const { code, errors = [] } = error.problem
  if (code === 'incorrect_password') return [{ field: 'current_password', message: error.message }]
  return errors
}

/** A field such as `allowed_ips.0` belongs to the control of the list. */
function controlOf(form, field) {
  const [name] = (field ?? '').split('.')
  return form.querySelector(`[name="${name}"]`)
}

function showFaults(control, faults) {
  const message = document.createElement('p')
  message.className = 'error'
  message.id = `${control.id}-error`
  message.textContent = faults.map((fault) => fault.message).join('\n')
  control.closest('.field').append(message)
  control.setAttribute('aria-invalid', 'true')
  control.dataset.hint ??= control.getAttribute('aria-describedby') ?? ''
  describe(control, `${message.id} ${control.dataset.hint}`.trim())
}

function describe(control, ids) {
  if (ids === '') control.removeAttribute('aria-describedby')
  else control.setAttribute('aria-describedby', ids)
}
