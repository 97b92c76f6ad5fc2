// Rules of this repository for oxlint: allowed imports, names of functions and types, and no spread of literals.
import { dirname, join, relative } from 'node:path'

const SIBLINGS = ['ontology', 'guidance', 'search', 'coverage', 'sparql', 'metrics', 'sync']
/** Values that services exchange are declared in contracts. */
const SERVICES = [...SIBLINGS, 'contracts']
const GROUND = ['http', 'graph', 'platform']
const ABOVE = [
  'web',
  'mcp',
  'app.ts',
  'page-records.ts',
  'cli.ts',
  'cli',
  'commands',
  'processes',
  'lead.ts',
  'serve.ts',
  'services.ts',
  'schedules.ts',
  'main.ts',
]

/** From the lowest layer up: each may import only those before it. */
const WINGS = [
  'database',
  'parts',
  'activity',
  'identity',
  'catalogue',
  'authoring',
  'interchange',
  'search-feed',
  'search',
  'coverage',
  'instance',
  'service',
].map((wing) => `guidance/${wing}`)

/** Imports that files of a folder must not have, and why; folders are below `src`. */
const ZONES = [
  ...SIBLINGS.map((sibling) => {
    const others = SIBLINGS.filter((other) => other !== sibling)
    return [sibling, [...others, ...ABOVE], 'siblings stay apart: they share src/contracts']
  }),
  ...WINGS.slice(0, -1).map((wing, floor) => {
    const above = [...WINGS.slice(floor + 1), 'guidance/index.ts', 'guidance/operator.ts']
    return [wing, above, 'a wing knows those below it']
  }),
  ['contracts', [...SIBLINGS, ...GROUND, ...ABOVE], 'contracts know nobody'],
  ['http', [...SERVICES, 'graph', ...ABOVE], 'the frame knows no service'],
  ['graph', [...SERVICES, 'http', ...ABOVE], 'the graph knows no service'],
  ['tables', [...SERVICES, ...GROUND, ...ABOVE, 'wording'], 'tables know nobody'],
  ['wording', [...SERVICES, ...GROUND, ...ABOVE], 'words know nobody'],
  ['platform', [...SERVICES, 'http', 'graph', ...ABOVE], 'the platform knows nobody'],
  ['web', [...SERVICES, 'graph', 'app.ts', 'main.ts', 'mcp'], 'pages speak only HTTP'],
  ['mcp', [...SERVICES, 'graph', 'app.ts', 'main.ts', 'web'], 'tools speak only HTTP'],
  ['web/application', [...GROUND, 'web/server'], 'what runs in browsers stays by itself'],
  ['web/server', ['web/application'], 'what runs in browsers stays by itself'],
]

const isWithin = (file, folder) => file === folder || file.startsWith(`${folder}/`)

const walls = {
  create(context) {
    const file = relative(join(context.cwd, 'src'), context.filename)
    const zones = ZONES.filter(([folder]) => isWithin(file, folder))
    function check(source) {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return
      const imported = join(dirname(file), source.value)
      for (const [, from, why] of zones)
        if (from.some((folder) => isWithin(imported, folder)))
          context.report({ node: source, message: `${imported} is not imported here: ${why}.` })
    }
    const checkSource = (node) => {
      check(node.source)
    }
    return zones.length === 0
      ? {}
      : {
          ImportDeclaration: checkSource,
          ExportNamedDeclaration: checkSource,
          ExportAllDeclaration: checkSource,
          ImportExpression: checkSource,
          TSImportType: checkSource,
        }
  },
}

const names = {
  create(context) {
    const checkWith = (pattern, kind) => (node) => {
      if (node.id != null && !pattern.test(node.id.name))
        context.report({ node: node.id, message: `${node.id.name} is no name for a ${kind}.` })
    }
    const type = checkWith(/^[A-Z][\dA-Za-z]*$/, 'type')
    return {
      TSTypeAliasDeclaration: type,
      TSInterfaceDeclaration: type,
      TSEnumDeclaration: type,
      ClassDeclaration: type,
      ClassExpression: type,
      FunctionDeclaration: checkWith(/^[a-z][\dA-Za-z]*$/, 'function'),
    }
  },
}

const CASTS = ['TSAsExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression']

/** Adds to unicorn/no-useless-spread, which ignores literals with `as const`. */
const literals = {
  create(context) {
    const checkIn = (container, literal) => (node) => {
      if (node.parent.type !== container) return
      let spread = node.argument
      while (CASTS.includes(spread.type)) spread = spread.expression
      if (spread.type === literal)
        context.report({ node, message: 'Write the members of this literal without spreading it.' })
    }
    const inArray = checkIn('ArrayExpression', 'ArrayExpression')
    const inObject = checkIn('ObjectExpression', 'ObjectExpression')
    return {
      SpreadElement(node) {
        inArray(node)
        inObject(node)
      },
    }
  },
}

export default { meta: { name: 'house' }, rules: { walls, names, literals } }
