import { z } from 'zod'

/** Number of addresses that a list may contain. */
const MAX_LISTED = 5000
const FILE = /\.(?:zip|xml)(?:[?#].*)?$/i

const json = z.json()
type Json = z.output<typeof json>

/**
 * The addresses of zips and XML files that a JSON document names, wherever in it: publishers of libraries call the
 * members of their lists differently. Null if the text is not JSON.
 */
export function addressesIn(text: string, base: string): readonly string[] | null {
  const addresses = new Set<string>()
  try {
    collect(json.parse(JSON.parse(text)), (value) => {
      if (!FILE.test(value) || !URL.canParse(value, base)) return
      if (addresses.size < MAX_LISTED) addresses.add(new URL(value, base).href)
    })
  } catch {
    return null
  }
  return [...addresses]
}

function collect(value: Json, add: (text: string) => void): void {
  if (typeof value === 'string') add(value)
  else if (Array.isArray(value)) for (const item of value) collect(item, add)
  else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) collect(member, add)
}
