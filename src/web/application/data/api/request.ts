import type { Operation, Parameter } from './document.ts'

/** The values of parameters, by place and name (`path.id`). */
export type ParameterValues = Readonly<Record<string, string>>

export interface ExampleRequest {
  readonly method: string
  /** With its query; a parameter without a value stays as in the description: `{id}`. */
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  /** JSON; null: none. */
  readonly body: string | null
}

export function keyOf({ in: location, name }: Parameter): string {
  return `${location}.${name}`
}

/** The request of an operation with these values. */
export function requestOf(operation: Operation, values: ParameterValues, body: string | null): ExampleRequest {
  const parameters = operation.parameters ?? []
  const filled = parameters.filter((parameter) => (values[keyOf(parameter)] ?? '') !== '')
  const path = filled
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (text, parameter) => text.replace(`{${parameter.name}}`, encodePath(values[keyOf(parameter)] ?? '')),
      operation.path,
    )
  const query = new URLSearchParams(
    filled
      .filter((parameter) => parameter.in === 'query')
      .map((parameter): [string, string] => [parameter.name, values[keyOf(parameter)] ?? '']),
  )
  return {
    method: operation.method.toUpperCase(),
    path: query.size === 0 ? path : `${path}?${query}`,
    headers: [
      ...(needsAccount(operation) ? [['Authorization', 'Token YOUR_TOKEN'] as const] : []),
      ...(body === null ? [] : [['Content-Type', 'application/json'] as const]),
    ],
    body,
  }
}

/** Colons need not be encoded in a path. */
function encodePath(value: string): string {
  return encodeURIComponent(value).replaceAll('%3A', ':')
}

/** Whether only people with an account may call it. */
export function needsAccount({ security = [] }: Operation): boolean {
  return security.length > 0 && !security.some((requirement) => Object.keys(requirement).length === 0)
}

/** The request in the words of a shell or a language. */
export const LANGUAGES: Readonly<Record<string, (origin: string, request: ExampleRequest) => string>> = {
  curl: (origin, { method, path, headers, body }) =>
    [
      `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(origin + path)}`,
      ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
      ...(body === null ? [] : [`-d ${shellQuoted(body)}`]),
    ].join(' \\\n  '),
  Python: (origin, { method, path, headers, body }) =>
    [
      'import requests\n',
      `answer = requests.request(${JSON.stringify(method)}, ${JSON.stringify(origin + path)},`,
      `    headers=${JSON.stringify(Object.fromEntries(headers))},`,
      ...(body === null ? [] : [`    data=${JSON.stringify(body)},`]),
      ')',
      'print(answer.text)',
    ].join('\n'),
  JavaScript: (origin, { method, path, headers, body }) => {
    const options = { method, headers: Object.fromEntries(headers), ...(body !== null && { body }) }
    const json = JSON.stringify(options, null, 2)
    return `const answer = await fetch(${JSON.stringify(origin + path)}, ${json})\nconsole.log(await answer.text())`
  },
}

function shellQuoted(text: string): string {
  return /^[\w./:=?&%-]+$/.test(text) && !text.includes('&') ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
