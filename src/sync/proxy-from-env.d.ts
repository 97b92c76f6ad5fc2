declare module 'proxy-from-env' {
  /** The address of the proxy for a URL by HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY; empty if there is none. */
  export function getProxyForUrl(url: string): string
}
