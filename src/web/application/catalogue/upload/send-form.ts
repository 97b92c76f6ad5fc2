/** Sends a form as the body of a request and reports its progress, which `fetch` cannot do. */
export function sendForm(request: Request, form: FormData, onProgress: (bytes: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    sending.open(request.method, request.url)
    sending.responseType = 'arraybuffer'
    for (const [name, value] of request.headers)
      // The browser sets the boundary between the parts.
      if (name !== 'content-type') sending.setRequestHeader(name, value)
    sending.upload.addEventListener('progress', ({ loaded }) => {
      onProgress(loaded)
    })
    sending.addEventListener('load', () => {
      resolve(answerOf(sending))
    })
    sending.addEventListener('error', () => {
      reject(new TypeError('The file could not be sent.'))
    })
    sending.addEventListener('abort', () => {
      reject(new DOMException('It was cancelled.', 'AbortError'))
    })
    request.signal.addEventListener('abort', () => {
      sending.abort()
    })
    if (request.signal.aborted) sending.abort()
    else sending.send(form)
  })
}

function answerOf(sending: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of sending.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const body: unknown = sending.response
  const bytes = body instanceof ArrayBuffer && body.byteLength > 0 ? body : null
  return new Response(bytes, { status: sending.status, headers })
}
