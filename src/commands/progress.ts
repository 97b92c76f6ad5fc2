import { Presets, SingleBar } from 'cli-progress'

const LINE_EVERY_MS = 3000

/** The progress of a long task: a bar on a terminal, plain lines in a pipe or a log. */
export interface TaskDisplay {
  /** `total` is null while it is unknown. */
  update(task: string, done: number, total: number | null): void
  stop(): void
}

export function createDisplay(unit: string, stream: NodeJS.WriteStream = process.stderr): TaskDisplay {
  return stream.isTTY ? barDisplay(unit, stream) : lineDisplay(stream)
}

function barDisplay(unit: string, stream: NodeJS.WriteStream): TaskDisplay {
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
function lineDisplay(stream: NodeJS.WriteStream): TaskDisplay {
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
