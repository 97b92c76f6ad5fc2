import { element } from '../../../../platform/xml.ts'

/** Cell formats, by their index in `STYLES`. */
export const STYLE = { head: '1', text: '2', locked: '3', unlocked: '4' } as const

const NORMAL = '<sz val="11"/><name val="Calibri"/>'
const TOP = '<alignment vertical="top" wrapText="1"/>'

/** The content of `styleSheet` in a workbook. Excel requires the first two fills. */
export const STYLES = [
  counted('fonts', [`<font>${NORMAL}</font>`, `<font><b/>${NORMAL}</font>`]),
  counted('fills', [
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
    '<fill><patternFill patternType="solid"><fgColor rgb="FFD9D9D9"/></patternFill></fill>',
  ]),
  counted('borders', ['<border/>']),
  counted('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
  counted('cellXfs', [
    format({ font: 0, fill: 0 }),
    format({ font: 1, fill: 0 }, TOP),
    format({ font: 0, fill: 0 }, TOP),
    format({ font: 0, fill: 2 }, TOP),
    format({ font: 0, fill: 0 }, TOP, '<protection locked="0"/>'),
  ]),
  counted('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
].join('')

function counted(name: string, items: readonly string[]): string {
  return element(name, { count: String(items.length) }, ...items)
}

/** A format with a font and a fill, by index. */
function format({ font, fill }: Readonly<Record<'font' | 'fill', number>>, ...content: string[]): string {
  const numbers = { numFmtId: '0', fontId: String(font), fillId: String(fill), borderId: '0', xfId: '0' }
  const applied = { applyFont: '1', applyFill: '1', applyAlignment: '1', applyProtection: '1' }
  return element('xf', { ...numbers, ...applied }, ...content)
}
