import { acceptedMediaType } from '../../http/negotiation.ts'

/** Whether somebody wants to look at the answer, as browsers do. */
export function prefersHtml(accept: string | undefined): boolean {
  return acceptedMediaType(accept, ['application/json', 'text/html']) === 'text/html'
}
