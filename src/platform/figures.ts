/** A metric for operators. It is read when it is scraped, and not stored. */
export interface Figure {
  /** In the form of Prometheus, without the name of the service; a counter's ends with `_total`. */
  readonly name: string
  readonly help: string
  /** A counter only grows, until the process ends. */
  readonly kind: 'counter' | 'gauge'
  readonly labels?: readonly string[]
  /** How the values of several processes are combined; default: the sum. */
  readonly across?: 'sum' | 'min' | 'max'
  readonly read: () => readonly FigureValue[] | Promise<readonly FigureValue[]>
}

/** In the unit that the name says: seconds and bytes. */
export interface FigureValue {
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

type ReadOne = () => number | Promise<number>

/** A gauge without labels. */
export function gauge(name: string, help: string, read: ReadOne): Figure {
  return { name, help, kind: 'gauge', read: async () => [{ value: await read() }] }
}

/** A counter without labels. */
export function counter(name: string, help: string, read: ReadOne): Figure {
  return { name, help, kind: 'counter', read: async () => [{ value: await read() }] }
}
