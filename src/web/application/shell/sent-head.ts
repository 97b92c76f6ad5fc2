/** The texts about the first record that the server wrote into the head of the document. */
const OF_RECORD = 'link[rel="canonical"], meta[name="description"], meta[property^="og:"], link[rel="alternate"]'

/** Removes it when another page is shown, because browsers share the canonical address. */
export function forgetSentHead(): void {
  for (const element of document.head.querySelectorAll(OF_RECORD)) element.remove()
}
