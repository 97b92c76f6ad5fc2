/** A fenced block of a document. A comment before it may state its output or its requirements. */
export interface Block {
  readonly language: string
  readonly line: number
  readonly text: string
  readonly remark: string
}

const BLOCK = /^(?:(?<indent> *)<!-- (?<remark>[^\n]*) -->\n\n)? *```(?<language>\w+)\n(?<text>.*?)^ *```$/gms

export function blocksOf(markdown: string): readonly Block[] {
  return Array.from(markdown.matchAll(BLOCK), ({ index, groups = {} }) => {
    const { language = '', text = '', remark = '' } = groups
    const indent = /^ */.exec(text)?.[0] ?? ''
    return {
      language,
      line: markdown.slice(0, index).split('\n').length,
      text: text.replace(new RegExp(`^${indent}`, 'gm'), ''),
      remark,
    }
  })
}
