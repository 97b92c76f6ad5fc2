import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery, possibleNames } from '../../src/search/query/parse-query.ts'

describe('A query', () => {
  it('is split at blanks and quotes, and stop words are recognised', () => {
    const { tokens } = parseQuery('how to  "lock the door" /etc/ssh d3f:FileHashing?')
    expect(tokens.map(({ text, quoted, isStop }) => [text, quoted, isStop])).toEqual([
      ['how', false, true],
      ['to', false, true],
      ['lock the door', true, false],
      ['/etc/ssh', false, false],
      ['FileHashing', false, false],
    ])
    expect(tokens.at(-1)?.words).toEqual(['file', 'hash'])
  })

  it('of stop words alone is searched unchanged', () => {
    expect(parseQuery('to be or not').tokens.every(({ isStop }) => !isStop)).toBe(true)
  })

  it('lists the operators that leave records out, each with the query without it', () => {
    const { operators } = parseQuery('telnet -windows "root login" title:ssh severity:high NOT oracle')
    expect(operators).toEqual([
      {
        effect: 'excluded',
        field: null,
        text: 'windows',
        lifted: 'telnet "root login" title:ssh severity:high NOT oracle',
      },
      {
        effect: 'required',
        field: null,
        text: 'root login',
        lifted: 'telnet -windows root login title:ssh severity:high NOT oracle',
      },
      {
        effect: 'required',
        field: 'title',
        text: 'ssh',
        lifted: 'telnet -windows "root login" ssh severity:high NOT oracle',
      },
      {
        effect: 'required',
        field: 'severity',
        text: 'high',
        lifted: 'telnet -windows "root login" title:ssh NOT oracle',
      },
      {
        effect: 'excluded',
        field: null,
        text: 'oracle',
        lifted: 'telnet -windows "root login" title:ssh severity:high',
      },
    ])
  })

  it.each([
    'find / -xdev -type d -perm -0002 -exec ls {} ;',
    'openssl x509 -noout -subject -in client_cert',
    'Get-ChildItem -Path Cert:Localmachine -Recurse',
    'auditctl -l | grep "privileged use"',
    'df --local -print "a b"',
    'kernel.randomize = 2 -ignore',
    'find ~/.ssh -name known_hosts',
    'dir C:\\Windows -name',
    'may use netstat -ano to display active connections',
  ])('has no operators where it is a command: %s', (text) => {
    const { operators, required, excluded, tokens } = parseQuery(text)
    expect([operators, required, excluded]).toEqual([[], [], []])
    expect(tokens.some(({ quoted }) => quoted)).toBe(false)
  })

  it.each([
    ['telnet -windows', 1],
    ['multi-factor Cross-Site -windows', 1],
    ['/etc/ssh/sshd_config "root login"', 1],
    ['TLS/SSL -oracle -database', 2],
    ['"kernel.foo = 1" -ubuntu', 2],
    ['net.ipv4.ip_forward NOT ubuntu', 1],
    ['check:/etc/passwd severity:high', 2],
    ['https://d3fend.mitre.org/ontologies/d3fend.owl#FileHashing -rule', 1],
  ])('has operators where it is made of words: %s', (text, count) => {
    expect(parseQuery(text).operators).toHaveLength(count)
  })

  it('is cut to 24 words and names the others', () => {
    const { tokens, used } = parseQuery(Array.from({ length: 30 }, (_, n) => `word${n}`).join(' '))
    expect(tokens).toHaveLength(24)
    expect(used).toMatch(/^word0 .* word23$/)
  })

  it('takes no longer with text beyond the limits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.nat(40), (text, times) => {
        const query = parseQuery(text.repeat(times + 1))
        expect(query.tokens.flatMap(({ words }) => words).length).toBeLessThanOrEqual(60)
        expect(possibleNames(query).length).toBeLessThanOrEqual(42)
      }),
    )
  })
})

describe('A possible name', () => {
  const namesIn = (text: string): readonly string[] => possibleNames(parseQuery(text)).map(({ name }) => name)

  it('is the whole query, and runs that have a number', () => {
    expect(namesIn('rule SV-257777 please')).toEqual([
      'rule-sv-257777-please',
      'rule-sv-257777',
      'sv-257777-please',
      'sv-257777',
      ...['257777', 'sv-257777', 'v-257777'].filter((name) => name !== 'sv-257777'),
    ])
    expect(namesIn('ac-2 (1)')).toContain('ac-2-1')
    expect(namesIn('password complexity')).toEqual(['password-complexity'])
  })

  it('has its share of the query', () => {
    const shares = new Map(possibleNames(parseQuery('T1110 password policy')).map(({ name, share }) => [name, share]))
    expect(shares.get('t-1110')).toBe(0.5)
  })
})
