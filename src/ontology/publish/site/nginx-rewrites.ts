import type { NameForm } from '../../../platform/files/file-names.ts'
import type { TreeFile } from '../tree/tree.ts'

/** nginx takes no longer parameter (NGX_CONF_BUFFER, less the quotes). */
const LONGEST_PARAMETER = 4000

/** Rules from addresses to file names. nginx decodes addresses before it applies rules. */
export function nginxRewrites(tree: readonly TreeFile[], names: NameForm): string {
  const rules = tree.flatMap(rewriteOf(names))
  const general = names === 'portable' ? ['rewrite "^([^:]*):([^:]*)$" "$1~3A$2" break;'] : []
  return [...rules, ...general].map((rule) => `${rule}\n`).join('')
}

function rewriteOf(names: NameForm) {
  return ({ path, url, file }: TreeFile): readonly string[] => {
    if (generalName(path, names) === `/${file}`) return []
    // nginx resolves dots before it applies rules; only `$request_uri` still has them.
    const isResolved = /\/\.{1,2}(?:\/|$)/.test(path)
    const pattern = isResolved ? `^${literal(url)}(\\?|$)` : `^${literal(path)}$`
    if (Buffer.byteLength(pattern) > LONGEST_PARAMETER) return [`# Too long for nginx: /${file}`]
    const rewrite = `rewrite "${isResolved ? '^' : pattern}" "/${file}" break;`
    return [isResolved ? `if ($request_uri ~ "${pattern}") { ${rewrite} }` : rewrite]
  }
}

/**
 * The file that nginx finds without a rule for it: the index of a folder, or a file. File systems take two slashes
 * for one.
 */
function generalName(path: string, names: NameForm): string {
  const named = names === 'portable' ? path.replace(/^([^:]*):([^:]*)$/, '$1~3A$2') : path
  return named.replace('//', '/') + (path.endsWith('/') ? 'index.html' : '')
}

/** Text escaped for a regular expression (PCRE) between double quotes. */
function literal(text: string): string {
  return text.replace(/[^\p{L}\p{N}/:_-]/gu, (character) =>
    character > '~' ? character : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
