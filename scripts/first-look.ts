import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import type { Plugin } from 'vite'

const SOURCE = new URL('../src/web/application/first-look.ts', import.meta.url)
const NAME = 'first-look.js'
const FONT = 'inter-latin-wght-normal.woff2'

/**
 * Puts into the head what a page has to have before anything of it is drawn: a script, because a module would run after
 * that, and the font of its text, because in another one all would stand a little elsewhere.
 */
export function firstLook(): Plugin {
  return {
    name: 'first-look',
    apply: 'build',
    async buildStart() {
      this.emitFile({ type: 'asset', name: NAME, source: await script() })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const fileOf = (name: string): string => {
          const file = Object.values(bundle).find((one) => one.type === 'asset' && one.names.includes(name))
          if (file === undefined) throw new Error(`There is no ${name}`)
          return `./${file.fileName}`
        }
        const font = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: fileOf(FONT) }
        return [
          { tag: 'script', attrs: { src: fileOf(NAME) }, injectTo: 'head-prepend' },
          { tag: 'link', attrs: font, injectTo: 'head' },
        ]
      },
    },
  }
}

/** A classic script, which holds what it imports. */
async function script(): Promise<string> {
  const { output } = await build({
    input: fileURLToPath(SOURCE),
    write: false,
    output: { format: 'iife', minify: true },
  })
  return output[0].code
}
