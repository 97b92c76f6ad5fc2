// The package describes itself under another name.
declare module '@nuwcdivnpt/stig-manager-client-modules' {
  export function reviewsFromCkl(params: object): unknown
  export function reviewsFromCklb(params: object): unknown
}
