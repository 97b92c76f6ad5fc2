import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import type { Plugin } from 'vite'

const SOURCE = new URL('../src/web/application/first-look.ts', import.meta.url)
const NAME = 'first-look.js'
const FONTS = ['inter-latin-wght-normal.woff2', 'ibm-plex-mono-latin-400-normal.woff2']

/**
 * Adds to the head what a page needs before it is drawn: the fonts of its text, because another font would move
 * everything a little, and a script, because a module would run too late. The script follows the styles, because it
 * loads the fonts that they name.
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
          const file = Object.values(bundle).find((asset) => asset.type === 'asset' && asset.names.includes(name))
          if (file === undefined) throw new Error(`There is no ${name}`)
          return `./${file.fileName}`
        }
        const fonts = FONTS.map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: fileOf(name) },
          injectTo: 'head' as const,
        }))
        return [...fonts, { tag: 'script', attrs: { src: fileOf(NAME) }, injectTo: 'head' }]
      },
    },
  }
}

/** A classic script that contains its imports. */
async function script(): Promise<string> {
  const { output } = await build({
    input: fileURLToPath(SOURCE),
    write: false,
    output: { format: 'iife', minify: true },
  })
  return output[0].code
}
