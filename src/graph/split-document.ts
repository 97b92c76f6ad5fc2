const LINE_FEED = 10
const BLANK = '_:'
/** Also finds labels inside literals. That only puts more lines together than necessary. */
const LABEL = /_:[^\s<>"()#]+/g

/** Lines that share blank nodes, directly or through other lines. */
interface Component {
  readonly labels: string[]
  readonly lines: string[]
}

/**
 * Splits N-Triples or N-Quads into pieces of about `pieceBytes`. All lines with the same blank node are in one piece,
 * because a parser gives blank nodes new labels with each document. So a piece is larger where more lines than that hang
 * together through blank nodes. The order of the lines is not kept.
 */
export function* splitDocument(document: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  const components = new Components()
  for (const piece of wholeLines(document, pieceBytes)) {
    if (!piece.includes(BLANK)) {
      yield piece
      continue
    }
    const labels: string[] = []
    for (const line of piece.toString('utf8').split('\n')) {
      if (line.includes(BLANK)) components.add(line)
      else if (line !== '') labels.push(line)
    }
    if (labels.length > 0) yield Buffer.from(labels.join('\n'))
  }
  yield* packComponents(components.all(), pieceBytes)
}

/** The document in pieces that end with a line. */
function* wholeLines(document: Uint8Array, pieceBytes: number): Generator<Buffer> {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.length)
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(LINE_FEED, Math.min(from + pieceBytes, bytes.length))
    const to = end === -1 ? bytes.length : end + 1
    yield bytes.subarray(from, to)
    from = to
  }
}

/** Groups lines by the blank nodes that connect them. */
class Components {
  readonly #byLabel = new Map<string, Component>()

  all(): Iterable<Component> {
    return new Set(this.#byLabel.values())
  }

  add(line: string): void {
    // A label cannot end with a dot, and a statement may end right after a label.
    const labels = (line.match(LABEL) ?? []).map((label) => label.replace(/\.+$/, ''))
    let component: Component = { labels: [], lines: [] }
    for (const label of labels) {
      const labelComponent = this.#byLabel.get(label)
      if (labelComponent === undefined) this.#assign(component, [label])
      else if (labelComponent !== component) component = this.#merge(labelComponent, component)
    }
    component.lines.push(line)
  }

  /** Moves the smaller one into the larger one, so that no line is moved often. */
  #merge(component: Component, other: Component): Component {
    const isSmaller = component.labels.length + component.lines.length < other.labels.length + other.lines.length
    const [from, into] = isSmaller ? [component, other] : [other, component]
    this.#assign(into, from.labels)
    for (const line of from.lines) into.lines.push(line)
    return into
  }

  #assign(component: Component, labels: readonly string[]): void {
    for (const label of labels) {
      component.labels.push(label)
      this.#byLabel.set(label, component)
    }
  }
}

function* packComponents(components: Iterable<Component>, pieceBytes: number): Generator<Uint8Array> {
  let pending: string[] = []
  let length = 0
  for (const { lines } of components) {
    for (const line of lines) {
      pending.push(line)
      length += line.length + 1
    }
    if (length < pieceBytes) continue
    yield Buffer.from(pending.join('\n'))
    pending = []
    length = 0
  }
  if (pending.length > 0) yield Buffer.from(pending.join('\n'))
}
