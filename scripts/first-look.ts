import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import type { Plugin } from 'vite'

const SOURCE = new URL('../src/web/application/first-look.ts', import.meta.url)
const NAME = 'first-look.js'
const FONTS = ['inter-latin-wght-normal.woff2', 'ibm-plex-mono-latin-400-normal.woff2']

/**
 * Puts into the head what a page has to have before anything of it is drawn: the fonts of its text, because in another one
 * all would stand a little elsewhere, and a script, because a module would run after that. The script is behind the
 * styles, because it asks for the fonts that they name.
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

/** A classic script, which holds what it imports. */
async function script(): Promise<string> {
  const { output } = await build({
    input: fileURLToPath(SOURCE),
    write: false,
    output: { format: 'iife', minify: true },
  })
  return output[0].code
}
