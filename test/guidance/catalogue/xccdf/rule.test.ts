import { describe, expect, it } from 'vitest'
import { readRule, ruleContent } from './document.ts'

describe('A rule', () => {
  it.each([
    ['severity="unknown"', 'unknown', []],
    ['severity="info"', 'info', []],
    ['severity="High"', 'high', []],
    ['', 'medium', ['severity_missing']],
    ['severity="severe"', 'unknown', ['severity_unknown_value']],
  ])('with %s is %s', (attribute, severity, codes) => {
    const read = readRule(ruleContent(), `id="r" ${attribute}`)
    expect([read.rule.severity, read.codes]).toEqual([severity, codes])
  })

  it('uses its id for a missing title', () => {
    const { rule, codes } = readRule(ruleContent({ title: '<title> </title>' }))
    expect([rule.title, codes]).toEqual(['SV-1_rule', ['title_missing']])
  })

  it('keeps texts as XML gives them, across CDATA and elements', () => {
    const check =
      '<check><check-content>\n a <![CDATA[<b> &amp; ]]><xhtml:p>c</xhtml:p>&lt;d&#x2F;</check-content></check>'
    const [first] = readRule(ruleContent({ check })).rule.checks
    expect(first?.content).toBe('\n a <b> &amp; c<d/')
  })

  it('keeps its weight and status', () => {
    const read = readRule(
      ruleContent({ extra: '<status/><status>draft</status>' }),
      'id="r" severity="low" weight="0.5"',
    )
    expect([read.rule.weight, read.rule.status, read.codes]).toEqual(['0.5', 'draft', []])
  })

  it('keeps several checks, including those of a complex one', () => {
    const check =
      '<check system="a"><check-content-ref name="n" href="h"/><check-content-ref name="m"/></check>' +
      '<complex-check operator="OR"><check system="b"><check-content>b</check-content></check>' +
      '<complex-check><check system="c"/></complex-check></complex-check>'
    const { rule, codes } = readRule(ruleContent({ check }))
    expect(rule.checks).toEqual([
      { system: 'a', contentRefName: 'n', contentRefHref: 'h', content: null },
      { system: 'b', contentRefName: null, contentRefHref: null, content: 'b' },
      { system: 'c', contentRefName: null, contentRefHref: null, content: null },
    ])
    expect(codes).toEqual(['several_checks', 'complex_check', 'check_by_reference', 'several_check_references'])
  })

  it('matches fixtexts with fixes and keeps those without a match', () => {
    const fixtext =
      '<fixtext fixref="1">one</fixtext><fixtext fixref="9">nine</fixtext><fixtext>none</fixtext>' +
      '<fix id="2">run</fix><fix id="1">ignored</fix><fix/>'
    const { rule, codes } = readRule(ruleContent({ fixtext }))
    expect(rule.fixes).toEqual([
      { fixref: '1', fixId: '1', text: 'one' },
      { fixref: '9', fixId: null, text: 'nine' },
      { fixref: null, fixId: null, text: 'none' },
      { fixref: null, fixId: '2', text: 'run' },
      { fixref: null, fixId: null, text: null },
    ])
    expect(codes).toEqual(['several_fixtexts', 'fixref_unknown'])
  })

  it('keeps each ident once', () => {
    const ident =
      '<ident system="a">1</ident><ident system="b">1</ident><ident system="a"> 1 </ident>' +
      '<ident system="a"/><ident>2</ident>'
    const { rule, codes } = readRule(ruleContent({ ident }))
    expect(rule.idents).toEqual([
      { system: 'a', value: '1' },
      { system: 'b', value: '1' },
      { system: '', value: '2' },
    ])
    expect(codes).toEqual(['repeated_ident', 'ident_empty'])
  })

  it('keeps its references', () => {
    const extra = '<reference href="h"><dc:title>T</dc:title><dc:identifier>12</dc:identifier></reference>'
    expect(readRule(ruleContent({ extra })).rule.references).toEqual([
      { href: 'h', title: 'T', publisher: null, type: null, subject: null, identifier: '12' },
    ])
  })

  it('warns of missing and ignored values', () => {
    const read = readRule('<title>t</title><warning>w</warning><title>u</title>')
    expect(read.codes).toEqual([
      'element_not_kept',
      'element_repeated',
      'discussion_empty',
      'version_missing',
      'check_missing',
      'fix_missing',
    ])
  })

  it('warns of values that the reader has to fill in', () => {
    const fixtext = '<fixtext>Set <sub idref="v"/></fixtext>'
    expect(readRule(ruleContent({ fixtext })).codes).toEqual(['substitution'])
  })

  it('reads tags that are elements like escaped tags', () => {
    const description =
      '<description><VulnDiscussion>a &lt; b</VulnDiscussion><Documentable>true</Documentable></description>'
    const { discussion } = readRule(ruleContent({ description })).rule
    expect(discussion).toMatchObject({ vuln_discussion: 'a < b', documentable: true })
  })

  it('warns of irregular descriptions', () => {
    const description =
      '<description>before &lt;VulnDiscussion&gt;&lt;/VulnDiscussion&gt;' +
      '&lt;Documentable&gt;perhaps&lt;/Documentable&gt;</description>'
    expect(readRule(ruleContent({ description })).codes).toEqual([
      'discussion_empty',
      'description_other_text',
      'documentable_odd',
    ])
  })
})
