/** Reads the secret of a link out of the address, and leaves none there; null without one. */
export function takeSecret(name: string): string | null {
  const secret = new URLSearchParams(location.search).get(name)
  history.replaceState({ ...history.state, current: location.pathname }, '', location.pathname)
  return secret === '' ? null : secret
}
