/** Stubs of the browser's objects that the modules of the pages need when they are loaded. They do nothing. */
const storage = { getItem: () => null, setItem: ignore, removeItem: ignore }

/** The address of the page that is rendered. */
export const place = { href: 'http://localhost/', origin: 'http://localhost', assign: ignore, reload: ignore }

/** In browsers, an address may be relative to the page. */
class PageRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === 'string' ? new URL(input, place.href) : input, init)
  }
}

const standIns = {
  localStorage: storage,
  sessionStorage: storage,
  location: place,
  addEventListener: ignore,
  removeEventListener: ignore,
  Request: PageRequest,
}

for (const [name, value] of Object.entries(standIns))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })

function ignore(): void {
  /* There is nobody to act for. */
}
