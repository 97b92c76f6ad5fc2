import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const SOURCE = new URL('../src/web/application/first-look.js', import.meta.url)
const NAME = 'first-look.js'

/** Puts a script into the head that runs before anything is drawn; a module would run after that. */
export function firstLook(): Plugin {
  return {
    name: 'first-look',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', name: NAME, source: readFileSync(SOURCE) })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const file = Object.values(bundle).find((one) => one.type === 'asset' && one.names.includes(NAME))
        if (file === undefined) throw new Error(`There is no ${NAME}`)
        return [{ tag: 'script', attrs: { src: `./${file.fileName}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}
