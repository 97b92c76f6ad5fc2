import { ref, type Ref } from 'vue'

const NAME = 'parapet.searches'
const MAX_SEARCHES = 8

/** The searches on this device, newest first. */
export const recentSearches: Ref<readonly string[]> = ref(readSearches())

export function rememberSearch(text: string): void {
  // The server renders pages for everybody, so without recent searches.
  if (import.meta.env.SSR) return
  const question = text.trim()
  if (question !== '')
    storeSearches([question, ...recentSearches.value.filter((search) => search !== question)].slice(0, MAX_SEARCHES))
}

export function forgetSearch(text: string): void {
  storeSearches(recentSearches.value.filter((search) => search !== text))
}

export function forgetSearches(): void {
  storeSearches([])
}

function storeSearches(searches: readonly string[]): void {
  recentSearches.value = searches
  try {
    if (searches.length === 0) localStorage.removeItem(NAME)
    else localStorage.setItem(NAME, JSON.stringify(searches))
  } catch {
    // Without storage, they are kept until the window is closed.
  }
}

function readSearches(): readonly string[] {
  try {
    const searches: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]')
    return Array.isArray(searches) ? searches.filter((search) => typeof search === 'string').slice(0, MAX_SEARCHES) : []
  } catch {
    return []
  }
}
