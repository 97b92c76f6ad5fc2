import { untilAnswered, type Application } from './until-answered.ts'

/**
 * Shows the application where the document came without content. Its first page is shown when its answers are there
 * (`[aria-busy]` in the styles of the shell): so nothing moves that somebody reads already.
 */
export async function showAnswered(place: Element, application: Application): Promise<void> {
  place.setAttribute('aria-busy', 'true')
  application.app.mount(place)
  await untilAnswered(application)
  place.removeAttribute('aria-busy')
}
