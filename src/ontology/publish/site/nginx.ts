import { SYNTAXES } from '../../../graph/syntax/syntaxes.ts'
import { ONTOLOGY_NAME } from '../../../graph/vocabulary.ts'
import { problemOf } from '../../../http/answer/problem.ts'
import { OPEN_TO_ALL, READ_METHODS } from '../../../http/published-routes.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { NameForm } from '../../../platform/files/file-names.ts'
import { ALL_VIEWS, extensionOf } from '../../endpoints/list.ts'
import { CURRENT, IMMUTABLE_HEADER } from '../../response-headers.ts'
import type { View } from '../../views/view.ts'
import type { TreeFile } from '../tree/tree.ts'
import type { Site } from './content.ts'

/** nginx takes no longer parameter (NGX_CONF_BUFFER, less the quotes). */
const LONGEST_PARAMETER = 4000

/** Pages among the immutable files of releases. */
const CHANGES = '~ "^/releases/[^/]+/changes/"'

const REFUSED = [...OPEN_TO_ALL, ['Cache-Control', 'no-store']] as const

/**
 * Settings to be included in a `server` block of nginx, whose `root` is the tree: types, headers, compressed siblings,
 * problems for refusals, and rewrites for addresses that differ from file names.
 */
export function nginxSettings({ tree, names, compress, releases, pages }: Site): string {
  return `# Written by publish, and written again by the next run. Include it in a server block:
#
#     server {
#         listen 80;
#         root /path/to/this/folder;
#         include /path/to/this/folder/nginx.conf;
#     }

# An IRI in a path has a double slash in it.
merge_slashes off;

charset utf-8;
charset_types application/json application/problem+json application/xml application/atom+xml text/turtle
    text/tab-separated-values;
gzip on;
gzip_proxied any;
gzip_vary on;
gzip_types ${gzipTypes()};
${compress ? COMPRESSED_SIBLINGS : ''}
${nginxRewrites(tree.concat(pages?.tree ?? []), names)}
${pages === null ? answers() : pagesAndAnswers()}
${releases.length === 0 ? '' : pinnedAnswers()}
${releases.length === 0 || pages === null ? '' : pagesAt(CHANGES)}
# Notes and drafts of publish, and settings.
location ~ "^/(\\.nojekyll|\\.(publish|catalogue)-journal|_headers|nginx\\.conf)$|\\.tmp$" {
    return 404;
}

${refusals()}`
}

function answers(): string {
  return `${answersAt('/', CURRENT)}
location = / {
    try_files /index.html =404;
}`
}

/**
 * A page is a folder with a document. An unknown address gets the page for missing pages. nginx refuses two locations
 * with the same pattern, so these are for the data at the root, and `pinnedAnswers` has those of releases.
 */
function pagesAndAnswers(): string {
  const folders = ['/api/', '/ontologies/'].map((path) => answersAt(path, CURRENT))
  return `location /assets/app/ {
    types {
${PAGE_TYPES.map(([extension, type]) => `        ${type} ${extension};`).join('\n')}
    }
${addHeaders([...OPEN_TO_ALL, IMMUTABLE_HEADER], 1)}
    try_files $uri =404;
}
${pagesAt('/')}
${folders.join('\n')}`
}

function pagesAt(path: string): string {
  return `location ${path} {
    types {
${types()}
    }
    index index.html;
    # A proxy that ends TLS knows host, port and scheme; this server does not.
    absolute_redirect off;
${addHeaders([...OPEN_TO_ALL, CURRENT], 1)}
    error_page 403 404 /404.html;
    try_files $uri $uri/ =404;
}`
}

const PAGE_TYPES = [
  ['js', 'text/javascript'],
  ['css', 'text/css'],
  ['svg', 'image/svg+xml'],
  ['woff2', 'font/woff2'],
] as const

/** Locations of immutable answers, and of reports on them. */
function pinnedAnswers(): string {
  const type = `    default_type ${SYNTAXES.turtle.mediaType};`
  return `${answersAt('/releases/', IMMUTABLE_HEADER)}
${answersAt(`/ontologies/${ONTOLOGY_NAME}/`, IMMUTABLE_HEADER)}
${answersAt('= /.well-known/void', CURRENT, type)}
`
}

function answersAt(path: string, caching: Header, directives = ''): string {
  const headers = [...OPEN_TO_ALL, caching]
  return `location ${path} {
    if ($request_method = OPTIONS) {
        add_header Allow "${READ_METHODS}";
${addHeaders(headers, 2)}
        add_header Access-Control-Allow-Methods "${READ_METHODS}";
        add_header Access-Control-Allow-Headers "*";
        return 204;
    }
    types {
${types()}
    }
${directives === '' ? '' : `${directives}\n`}${addHeaders(headers, 1)}
    try_files $uri =404;
}`
}

function refusals(): string {
  return `error_page 403 404 /404.json;
location = /404.json {
    internal;
    types { }
    default_type application/problem+json;
${addHeaders(REFUSED, 1)}
}
error_page 405 @method_not_allowed;
location @method_not_allowed {
    types { }
    default_type application/problem+json;
    add_header Allow "${READ_METHODS}" always;
${addHeaders(REFUSED, 1)}
    return 405 '${JSON.stringify(problemOf(NOT_ALLOWED))}';
}
`
}

const NOT_ALLOWED = new Refusal('method_not_allowed', 'Files of a published release are read-only.')

type Header = readonly [name: string, value: string]

function addHeaders(headers: readonly Header[], depth: number): string {
  const lines = headers.map(([name, value]) => `add_header ${name} "${value}" always;`)
  return lines.map((line) => '    '.repeat(depth) + line).join('\n')
}

const COMPRESSED_SIBLINGS = `gzip_static on;
# brotli_static on;   # where nginx has the module
`

interface AnswerKind {
  readonly extension: string
  readonly type: string
}

/** Without the charset, which a directive adds; other parameters stay part of the type. */
const KINDS: readonly AnswerKind[] = [
  { extension: 'html', type: 'text/html' },
  { extension: 'xml', type: 'application/xml' },
  { extension: 'atom', type: 'application/atom+xml' },
  ...new Map(ALL_VIEWS.map((view) => [extensionOf(view), kindOf(view)])).values(),
]

function kindOf(view: View): AnswerKind {
  const type = view.format.mediaType.replace(/; charset=utf-8$/, '')
  return { extension: extensionOf(view).slice(1), type }
}

function types(): string {
  return KINDS.map(({ extension, type }) => `        "${type}" ${extension};`).join('\n')
}

/** Lists each type once, because nginx warns of duplicates. HTML is always compressed. */
function gzipTypes(): string {
  const packable = KINDS.filter(({ extension }) => extension !== 'html')
  const types = new Set(packable.map(({ type }) => type))
  return Array.from(types, (type) => `"${type}"`).join(' ')
}

/** Rules from addresses to file names. nginx decodes addresses before it applies rules. */
function nginxRewrites(tree: readonly TreeFile[], names: NameForm): string {
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
 * Returns the file that nginx finds without a special rule: the index of a folder, or a file. File systems treat two
 * slashes as one.
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
