/** Browsers draw nothing in hidden windows, so waiting for a frame ends after this time. */
const PATIENCE_MS = 100

/** Until what has just been changed is drawn: what takes its time then keeps nobody from seeing it. */
export function untilDrawn(done: () => void): () => void {
  let timer = setTimeout(done, PATIENCE_MS)
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    // A frame is drawn after what waits for it.
    timer = setTimeout(done)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
