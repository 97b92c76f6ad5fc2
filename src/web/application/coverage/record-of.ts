/** The path of the API for a technique (by its prefixed name), an attack (by its id) or an artifact. */
export function recordOf(kind: keyof typeof FOLDERS, name: string): string {
  return `${FOLDERS[kind]}${encodeURIComponent(name)}.json`
}

const FOLDERS = {
  technique: '/api/technique/',
  attack: '/api/offensive-technique/attack/',
  artifact: '/api/dao/artifact/',
} as const
