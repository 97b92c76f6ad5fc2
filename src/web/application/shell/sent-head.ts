/** The texts about the first record that the server wrote into the head of the document. */
const OF_RECORD = 'link[rel="canonical"], meta[name="description"], meta[property^="og:"], link[rel="alternate"]'

/** Takes it out, because another page is shown: browsers share the canonical address, which would be that of the first one. */
export function forgetSentHead(): void {
  for (const element of document.head.querySelectorAll(OF_RECORD)) element.remove()
}
