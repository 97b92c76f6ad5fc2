import { acceptedForm, acceptedMediaType } from '../../http/answer/negotiation.ts'

const JSON_TYPE: readonly string[] = ['application/json']

/**
 * Whether HTML is an answer to a request for a page alone: yes, unless the client prefers JSON. Monitors, link checkers
 * and curl accept anything, or do not say.
 */
export function acceptsPage(accept: string | undefined): boolean {
  return acceptedForm(accept, ['text/html', ...JSON_TYPE]) === 'text/html'
}

/** Whether the client prefers HTML, as browsers do, to the other types of the answer. */
export function prefersHtml(accept: string | undefined, otherTypes: readonly string[] = JSON_TYPE): boolean {
  return acceptedMediaType(accept, [...otherTypes, 'text/html']) === 'text/html'
}
