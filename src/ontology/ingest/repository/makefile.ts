/** Version and date in the Makefile of the repository; undefined if they are missing. */
export interface StatedIdentity {
  readonly version: string | undefined
  readonly date: string | undefined
}

/** `D3FEND_VERSION ?=1.0.0` and `D3FEND_RELEASE_DATE ?="2024-12-20T00:42:42.042Z"`. */
export function readMakefile(text: string): StatedIdentity {
  return { version: readVariable(text, 'D3FEND_VERSION'), date: readVariable(text, 'D3FEND_RELEASE_DATE') }
}

function readVariable(text: string, name: string): string | undefined {
  const match = new RegExp(`^${name}[ \\t]*[?:]{0,2}=[ \\t]*(.*)$`, 'm').exec(text)
  const value = match?.[1]
    ?.replace(/#.*$/, '')
    .trim()
    .replace(/^"(.*)"$/, '$1')
  return value === undefined || value === '' || value.includes('$') ? undefined : value
}
