import { describe, expect, it } from 'vitest'
import { findGuessable } from '../../../../src/guidance/identity/passwords/guessable.ts'
import { passwordFaults } from '../../../../src/guidance/identity/passwords/passwords.ts'

const ABOUT = ['Ada Lovelace', 'ada@example.org', 'Parapet', 'guidance.example.org']

describe('An easily guessed password', () => {
  const POLICY = { minLength: 15, minUppercase: 0, minLowercase: 2, minNumber: 2, minSpecial: 2 }
  const REPEATED = 'Password repeats a short pattern'
  const SEQUENCE = 'Password is mostly a sequence such as abcd or 1234'
  const KEYS = 'Password is mostly keys beside each other'
  const DATE = 'Password is mostly a date'
  const COMMON = 'Password is mostly a commonly used one'
  const NAMED = 'Password is mostly a name or an address that belongs to you or to this service'

  it.each([
    ['Aa1!Aa1!Aa1!Aa1', REPEATED],
    ['AAaa11!!AAaa11!!', REPEATED],
    ['Aa1!'.repeat(32), REPEATED],
    [`KKkk11!!${'🔑'.repeat(56)}`, REPEATED],
    ['Password1234!!Aa', COMMON],
    ['P@ssw0rdP@ssw0rd12', COMMON],
    ['pAsSwOrD!!2026AB', COMMON],
    ['Welcome2024!!Welcome', COMMON],
    ['ILoveYou!!ILoveYou12', COMMON],
    ['Abcdef!!Password12', COMMON],
    ['ABCdefghi123456!!', SEQUENCE],
    ['Abcdefghijklmn1!2@', SEQUENCE],
    ['1qaz!QAZ2wsx@WSX', KEYS],
    ['Zxcvbnm,./12345AA!!', KEYS],
    ['12.03.1995-AB!cd', DATE],
    ['12abB!((^-!@-@%', DATE],
    ['AdaLovelace1815!!', NAMED],
    ['L0v3l4c3-Qw9!AB', NAMED],
    ['Ada.Lovelace@1815', NAMED],
    ['ada@example.org-AA12!!', NAMED],
    ['Parapet-2026-Parapet!', NAMED],
    ['Ada.Example.Org!2026', NAMED],
    ['Guidance2026!!Guidance', NAMED],
    ['AdaLovelaceParapetGuidanceExampleOrg12!!', NAMED],
  ])('%s is refused although it follows the policy: %s', async (password, rule) => {
    expect(passwordFaults(password, POLICY)).toEqual([])
    expect(await findGuessable(password, ABOUT)).toBe(rule)
  })
})

describe('A password that is hard to guess', () => {
  it.each([
    'Correct-Horse-42-!Staple',
    'xK9#mQ2$vL7@pR4',
    'Kx7!mQ2#',
    'TheQuickBrownFox99!!',
    'Ada-Fluffy-Elephant-22!!Moon',
    'ЖЯжя٣٤––пароль-ещё',
    // Three letters that are a name are not removed inside of a text.
    'qadaxorg7#w9!',
    'Canada-Armada-42!!x',
    'abcdefghijklmnopqrstuvwxkV9#mQ2$vL7@',
    'Wine&Cheese@Home42!'.padEnd(128, 'qv7#Lp2$'),
  ])('%s is accepted', async (password) => {
    expect(await findGuessable(password, ABOUT)).toBeNull()
  })
})
