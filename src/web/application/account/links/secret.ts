/** Reads the secret of a link from the address and removes it there; null without one. */
export function takeSecret(name: string): string | null {
  const secret = new URLSearchParams(location.search).get(name)
  history.replaceState({ ...history.state, current: location.pathname }, '', location.pathname)
  return secret === '' ? null : secret
}
