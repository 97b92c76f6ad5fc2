import { acceptedMediaType } from '../../http/negotiation.ts'

const JSON_TYPE: readonly string[] = ['application/json']

/** Whether somebody wants to look at the answer, as browsers do, rather than to have one of what else there is. */
export function prefersHtml(accept: string | undefined, others: readonly string[] = JSON_TYPE): boolean {
  return acceptedMediaType(accept, [...others, 'text/html']) === 'text/html'
}
