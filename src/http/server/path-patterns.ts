/** Finds the pattern of an encoded path, with `{name}` for a parameter; null if none matches. */
export function patternMatcher(paths: readonly string[]): (path: string) => string | null {
  const exact = new Set(paths.filter((path) => !path.includes('{')))
  const patterns = paths
    .filter((path) => path.includes('{'))
    .map((path) => ({ path, form: new RegExp(`^${formOf(path)}$`) }))
  return (path) => (exact.has(path) ? path : (patterns.find(({ form }) => form.test(path))?.path ?? null))
}

/** A parameter is one segment or a part of one. */
function formOf(path: string): string {
  return path
    .split(/\{\w+\}/)
    .map((text) => text.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&'))
    .join('[^/]+')
}
