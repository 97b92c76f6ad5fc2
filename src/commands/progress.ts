import { Presets, SingleBar } from 'cli-progress'
import type { Progress } from '../ontology/index.ts'

const LINE_EVERY_MS = 3000
const stream = process.stderr

/** The progress of a long task: a bar on a terminal, plain lines in a pipe or a log. */
export interface TaskDisplay {
  /** `total` is null while it is unknown. */
  update(task: string, done: number, total: number | null): void
  stop(): void
}

/** Does work that shows its progress; `unit` says what it counts, such as bytes. */
export async function withDisplay<T>(unit: string, work: (display: TaskDisplay) => Promise<T>): Promise<T> {
  const display = stream.isTTY ? barDisplay(unit) : lineDisplay()
  try {
    return await work(display)
  } finally {
    display.stop()
  }
}

/** Shows the progress of reading the sources of a release. */
export function readingProgress(display: TaskDisplay): Progress {
  return {
    step: (name) => {
      display.update(name, 0, null)
    },
    bytes: (source, read, expected) => {
      display.update(`Reading ${source}`, read, expected ?? null)
    },
  }
}

function barDisplay(unit: string): TaskDisplay {
  const format = `{task} {bar} {percentage}% | {value}/{total} ${unit} | {duration_formatted}`
  const bar = new SingleBar({ format, stream, hideCursor: true }, Presets.shades_classic)
  let isShown = false
  return {
    update: (task, done, total) => {
      if (!isShown) bar.start(total ?? 0, 0, { task })
      isShown = true
      bar.setTotal(total ?? done)
      bar.update(done, { task })
    },
    stop: () => {
      bar.stop()
    },
  }
}

/** Prints a line when a task begins, and one every few seconds. */
function lineDisplay(): TaskDisplay {
  let lastTask = ''
  let lastTime = 0
  return {
    update: (task, done, total) => {
      const now = Date.now()
      if (task === lastTask && now - lastTime < LINE_EVERY_MS) return
      const share = task === lastTask && total !== null ? ` (${done} of ${total})` : ''
      stream.write(`${task}${share}\n`)
      lastTask = task
      lastTime = now
    },
    stop: () => undefined,
  }
}
