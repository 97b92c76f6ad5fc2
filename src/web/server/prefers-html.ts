import { acceptedForm, acceptedMediaType } from '../../http/answer/negotiation.ts'

const JSON_TYPE: readonly string[] = ['application/json']

/**
 * Whether HTML is an answer to a request for a page alone: yes, unless the client prefers JSON. Monitors, link checkers
 * and curl accept anything, or do not say.
 */
export function acceptsPage(accept: string | undefined): boolean {
  return acceptedForm(accept, ['text/html', ...JSON_TYPE]) === 'text/html'
}

/** Whether somebody wants to look at the answer, as browsers do, rather than to have one of what else there is. */
export function prefersHtml(accept: string | undefined, others: readonly string[] = JSON_TYPE): boolean {
  return acceptedMediaType(accept, [...others, 'text/html']) === 'text/html'
}
