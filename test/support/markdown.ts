/** A fenced block of a document; a remark in a comment before it says what a reader would see, or what it needs. */
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
