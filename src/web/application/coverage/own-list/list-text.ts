import { Problem } from '../../client/problem.ts'

/** The service refuses larger files. */
export const MAX_BYTES = 4 * 1024 * 1024

/**
 * The request for the coverage of a pasted or chosen list, and of another list to compare it with (empty: none).
 * Refuses text that begins like JSON but is not JSON.
 */
export function requestOf(list: string, against: string): object {
  const request = contentOf(list, 'Your list')
  return against.trim() === '' ? request : { ...request, against: contentOf(against, 'The second list') }
}

function contentOf(text: string, name: string): object {
  if (!/^\s*[[{]/.test(text)) return { csv: text }
  const content = parseJson(text, name)
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
  const detail = `${name} is a list in JSON. Send an object: {"attacks": […], "techniques": […]}, a layer or a bundle.`
  throw new Problem(400, { detail })
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Problem(400, { detail: `${name} is not valid JSON: ${reason}.` })
  }
}

/** A place in a list without the form in which it was sent: `csv.line 3` is `line 3`. */
export function placeOf(place: string): string {
  return place.replace(/^(?:against\.)?(?:csv|layer|bundle)\./, '').replace(/^against\./, '')
}
