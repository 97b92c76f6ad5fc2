declare module 'negotiator' {
  /** Content negotiation of RFC 9110 §12.5; `preferred` decides among equal weights. */
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string>> })
    encoding(available: string[], options: { readonly preferred: string[] }): string | undefined
    mediaType(available: string[]): string | undefined
  }
}
