import { Presets, SingleBar } from 'cli-progress'

/** A long task on the terminal: a bar where somebody watches, plain lines in a pipe or a log. */
export interface TaskDisplay {
  /** `total` is null while nobody knows it. */
  update(task: string, done: number, total: number | null): void
  stop(): void
}

export function createDisplay(unit: string, stream: NodeJS.WriteStream = process.stderr): TaskDisplay {
  return stream.isTTY ? barDisplay(unit, stream) : lineDisplay(stream)
}

function barDisplay(unit: string, stream: NodeJS.WriteStream): TaskDisplay {
  const format = `{task} {bar} {percentage}% | {value}/{total} ${unit} | {duration_formatted}`
  const bar = new SingleBar({ format, stream, hideCursor: true }, Presets.shades_classic)
  let shown = false
  return {
    update: (task, done, total) => {
      if (!shown) bar.start(total ?? 0, 0, { task })
      shown = true
      bar.setTotal(total ?? done)
      bar.update(done, { task })
    },
    stop: () => {
      bar.stop()
    },
  }
}

/** One line per task, and one per further tenth of it. */
function lineDisplay(stream: NodeJS.WriteStream): TaskDisplay {
  let last = ''
  return {
    update: (task, done, total) => {
      const tenth = total === null || total === 0 ? 0 : Math.floor((done / total) * 10)
      const line = tenth === 0 ? task : `${task} ${tenth * 10} %`
      if (line !== last) stream.write(`${line}\n`)
      last = line
    },
    stop: () => undefined,
  }
}
