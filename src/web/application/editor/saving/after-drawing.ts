/** Browsers draw no frames in hidden windows, so waiting for a frame ends after this time. */
const MAX_WAIT_MS = 100

/** Runs slow work after the current changes are drawn. Returns a function that cancels it. */
export function afterDrawing(done: () => void): () => void {
  let timer = setTimeout(done, MAX_WAIT_MS)
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    // The callback runs before the frame is drawn.
    timer = setTimeout(done)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
