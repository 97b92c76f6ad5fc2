import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtModule } from '../support/build.ts'

/**
 * Features that Chromium 118 or Firefox 115 lack, each with the pattern that reveals it. The pattern of a method with
 * a common name includes the object before it.
 */
const NEWER_CSS: readonly (readonly [name: string, pattern: RegExp])[] = [
  [':has()', /:has\(/],
  ['nesting', /[{;]\s*&|(?<=\{[^{}]*;)\s*[.#:>+~][^{};]*\{/],
  ['light-dark()', /light-dark\(/],
  ['@starting-style', /@starting-style/],
  ['@scope', /@scope\b/],
  ['@property', /@property\b/],
  ['popovers', /:popover-open/],
  ['anchors', /\banchor(?:-name|-size)?[:(]|position-(?:anchor|area|try)/],
  ['discrete transitions', /transition-behavior|allow-discrete|interpolate-size|calc-size\(/],
  ['animations by scrolling', /(?:animation|scroll|view)-timeline/],
  ['transitions of views', /view-transition/],
  ['relative colours', /\b(?:rgba?|hsla?|oklch|oklab|color)\(from\b/],
  ['lines as a unit', /[\d.]r?lh\b/],
  ['mathematics', /[:\s,(](?:round|mod|rem|abs|sign)\((?![^)]*deg)/],
  ['contrast', /contrast-color\(/],
  ['conditions', /[:\s](?:if|attr)\([^)]*(?:type|style|media)\(/],
  [':user-invalid', /:user-(?:in)?valid/],
  ['text boxes', /text-box(?:-trim|-edge)?:/],
]
/** Properties that older browsers ignore without harm. */
const GRACEFUL = /(?:field-sizing|text-wrap(?:-style)?|scrollbar-gutter):[^;}]+/g

const NEWER_SCRIPT: typeof NEWER_CSS = [
  ['Promise.withResolvers', /Promise\.(?:withResolvers|try)\b/],
  ['groupBy', /\b(?:Object|Map)\.groupBy\b/],
  ['Array.fromAsync', /Array\.fromAsync\b/],
  ['methods of sets', /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/],
  [
    'methods of iterators',
    /\bIterator\.(?:from|prototype|concat)\b|\.(?:values|keys|entries)\(\)\.(?:map|filter|flatMap|take|drop|toArray|some|every|find|reduce)\(/,
  ],
  ['well-formed strings', /\.(?:isWellFormed|toWellFormed)\(/],
  ['AbortSignal.any', /AbortSignal\.any\b/],
  ['URL.parse', /\bURL\.parse\(/],
  ['RegExp.escape', /RegExp\.escape\b/],
  ['regular expressions of sets', /new RegExp\([^)]*["'`][a-z]*v[a-z]*["'`]\)/],
  ['resources', /Symbol\.(?:asyncD|d)ispose|\b(?:await )?using [\w$]+\s*=/],
  ['highlights', /CSS\.highlights\b/],
  ['popovers', /\.(?:show|toggle|hide)Popover\(/],
  ['unsafe HTML', /\.(?:setHTMLUnsafe|getHTML)\(|parseHTMLUnsafe/],
  ['moveBefore', /\.moveBefore\(/],
  // Libraries look whether there is one.
  ['segments', /new Intl\.(?:Segmenter|DurationFormat)\b/],
  ['passkeys in JSON', /parse(?:Request|Creation)OptionsFromJSON/],
  ['scheduler', /\bscheduler\.(?:yield|postTask)\b/],
  ['navigation', /\bnavigation\.(?:navigate|addEventListener)\b/],
]

const BUILT = builtModule('src/web/built')
const FILES = readdirSync(BUILT, { recursive: true, encoding: 'utf8' })

function newerIn(ending: string, newer: typeof NEWER_CSS): readonly string[] {
  const files = FILES.filter((file) => file.endsWith(ending))
  expect(files).not.toEqual([])
  return files.flatMap((file) => {
    const text = readFileSync(join(BUILT, file), 'utf8').replace(GRACEFUL, '')
    return newer.filter(([, pattern]) => pattern.test(text)).map(([name]) => `${name} in ${file}`)
  })
}

describe('The built pages', () => {
  it('have no style that browsers of three years ago do not know', () => {
    expect(newerIn('.css', NEWER_CSS)).toEqual([])
  })

  it('have no script that browsers of three years ago do not know', () => {
    expect(newerIn('.js', NEWER_SCRIPT)).toEqual([])
  })

  it.each([
    ['a{color:red;&:hover{color:blue}}', 'nesting'],
    ['a{color:red;.b{color:blue}}', 'nesting'],
    ['a:has(b){top:0}', ':has()'],
    ['a{color:light-dark(red,blue)}', 'light-dark()'],
    ['a{height:3lh}', 'lines as a unit'],
    ['a{color:oklch(from red l c h)}', 'relative colours'],
  ])('would be refused with %s', (css, name) => {
    expect(NEWER_CSS.filter(([, pattern]) => pattern.test(css)).map(([feature]) => feature)).toEqual([name])
  })

  it.each(['a{top:0}@media (width>=60rem){.b:hover{top:0}}', '.a{margin:0}.b>c{top:0}'])('may have %s', (css) => {
    expect(NEWER_CSS.filter(([, pattern]) => pattern.test(css))).toEqual([])
  })

  it.each([
    ['Object.groupBy(a,b)', 'groupBy'],
    ['new Set(a).isSubsetOf(b)', 'methods of sets'],
    ['a.values().map(b)', 'methods of iterators'],
    ['AbortSignal.any([a])', 'AbortSignal.any'],
  ])('would be refused with %s', (script, name) => {
    const found = NEWER_SCRIPT.filter(([, pattern]) => pattern.test(script))
    expect(found.map(([feature]) => feature)).toEqual([name])
  })
})
