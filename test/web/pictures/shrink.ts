import type { Page } from 'playwright-core'
import { z } from 'zod'

const compared = z.object({
  /** As it is kept: half as wide and high, WebP. */
  small: z.base64(),
  /** How many of a thousand pixels are not as in the kept picture; all where that has another size. */
  differing: z.number(),
  /** Pixels that differ are red in the picture of the difference. */
  difference: z.base64(),
})

type Compared = z.infer<typeof compared>

/**
 * Makes a screenshot small, and compares it with the kept picture. The browser does both: it reads and writes pictures,
 * which no library that we have does.
 */
export async function shrinkAndCompare(bench: Page, shot: Buffer, kept: Buffer | null): Promise<Compared> {
  const given = JSON.stringify([shot.toString('base64'), kept?.toString('base64') ?? null])
  return compared.parse(await bench.evaluate(`(${SHRINK})(...${given})`))
}

/** A pixel differs where one of its colours is farther away than that; of 255. */
const SAME = 40

const SHRINK = `async (shot, kept) => {
  const read = (base64) => createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]))
  const draw = (picture, width, height) => {
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    context.imageSmoothingQuality = 'high'
    context.drawImage(picture, 0, 0, width, height)
    return context
  }
  const write = async (context, quality) => {
    const blob = await context.canvas.convertToBlob({ type: 'image/webp', quality })
    const bytes = new Uint8Array(await blob.arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  }
  const whole = await read(shot)
  const [width, height] = [Math.round(whole.width / 2), Math.round(whole.height / 2)]
  const small = await write(draw(whole, width, height), 0.6)
  const now = draw(await read(small), width, height)
  const before = kept === null ? null : await read(kept)
  if (before?.width !== width || before.height !== height) return { small, differing: 1000, difference: small }
  const [ours, theirs] = [now, draw(before, width, height)].map((one) => one.getImageData(0, 0, width, height))
  let differing = 0
  for (let at = 0; at < ours.data.length; at += 4) {
    const far = Math.max(...[0, 1, 2].map((colour) => Math.abs(ours.data[at + colour] - theirs.data[at + colour])))
    if (far > ${SAME}) differing += 1
    const shade = far > ${SAME} ? [255, 0, 0] : [0, 1, 2].map((colour) => 170 + ours.data[at + colour] / 3)
    ours.data.set(shade, at)
  }
  now.putImageData(ours, 0, 0)
  return { small, differing: (4000 * differing) / ours.data.length, difference: await write(now, 0.6) }
}`
