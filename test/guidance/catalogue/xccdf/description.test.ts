import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitDescription } from '../../../../src/guidance/catalogue/xccdf/description.ts'

describe('A description', () => {
  it('is split at the tags of DISA only', () => {
    const text =
      '<VulnDiscussion>if a < b && <Subject>x</Subject> &lt; y</VulnDiscussion>\n' +
      '<FalsePositives></FalsePositives><Documentable> False </Documentable>' +
      '<Mitigations/><PotentialImpact>old</PotentialImpact><IAControls>ECLP-1</IAControls>'
    expect(splitDescription(text)).toMatchObject({
      discussion: {
        vuln_discussion: 'if a < b && <Subject>x</Subject> &lt; y',
        false_positives: null,
        false_negatives: null,
        documentable: false,
        mitigations: null,
        potential_impacts: 'old',
        ia_controls: 'ECLP-1',
      },
      tagged: true,
      hasOtherText: false,
      hasOddDocumentable: false,
    })
  })

  it('ends an unclosed tag at the next one', () => {
    const { discussion } = splitDescription('<VulnDiscussion>a <b><Mitigations>c</Mitigations>')
    expect(discussion).toMatchObject({ vuln_discussion: 'a <b>', mitigations: 'c' })
  })

  it('joins the texts of a repeated tag', () => {
    const { discussion } = splitDescription('<Responsibility>A</Responsibility><Responsibility>B')
    expect(discussion.responsibility).toBe('A\nB')
  })

  it.each([
    ['no tags < at & all', 'no tags < at & all'],
    ['outside<Documentable>true</Documentable>', 'outside'],
    [' \n', null],
    [null, null],
  ])('becomes the discussion if it has no tag for it: %j', (text, discussion) => {
    expect(splitDescription(text).discussion.vuln_discussion).toBe(discussion)
  })

  it('preserves any text within a tag', () => {
    const markup = fc.constantFrom('<', '>', '&', '&lt;', '<Subject>', '</b>', ']]>', '\n', 'a ')
    fc.assert(
      fc.property(fc.array(markup, { minLength: 1 }), fc.array(markup, { minLength: 1 }), (a, b) => {
        const [discussion, tools] = [a.join(''), b.join('')]
        const text = `<VulnDiscussion>${discussion}</VulnDiscussion><ThirdPartyTools>${tools}</ThirdPartyTools>`
        expect(splitDescription(text).discussion).toMatchObject({
          vuln_discussion: discussion,
          third_party_tools: tools,
        })
      }),
    )
  })

  it('is parsed in linear time even if it has nothing but start tags', () => {
    expect(splitDescription('<Mitigations>'.repeat(70_000)).discussion.mitigations).toBeNull()
  })
})
