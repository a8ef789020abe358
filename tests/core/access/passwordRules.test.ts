import { describe, expect, it } from 'vitest'
import { isCommonPassword } from '#core/access/commonPasswords.ts'
import { passwordProblem } from '#core/access/passwordRules.ts'

describe('a new password', () => {
  it.each([
    ['aB3-short', 'lin', 'too_short'],
    ['x'.repeat(201), 'lin', 'too_long'],
    ['Somebody-77', 'somebody', 'same_as_account'],
    ['crc2-2026!!', 'crc2', 'same_as_account'],
    ['lin2026-12345', 'lin', 'same_as_account'],
  ])('%s of %s is refused: %s', (password, account, code) => {
    expect(passwordProblem(password, account)?.code).toBe(code)
  })

  it.each([
    'password123',
    'Password2026',
    'P@ssw0rd2026',
    '1234567890',
    '0987654321',
    'aaaaaaaaaaaa',
    'abababababab',
    'qwertyuiop',
    'Qwerty12345',
    '1qaz2wsx3edc',
    'woaini1314520',
    'admin@123456',
    'abc1234567890',
    'iloveyou2024',
    'abcdefghij',
    '19880101198801',
    'helloworld99',
    'zhongguo2008',
    'wodemima123',
  ])('%s is tried first, and refused', (password) => {
    expect([isCommonPassword(password), passwordProblem(password, 'lin')?.code]).toEqual([true, 'common_password'])
  })

  it.each([
    'Correct-Horse-7',
    'First-Word-4417',
    'Given-Password-1',
    'Admin-Planted-8412',
    'kV3x-9qPz-1mTd',
    '桂花酿圆子最好吃了呀',
    'blau-kiesel-tuba-regen',
    'password-83917264501',
  ])('%s is taken', (password) => {
    expect(passwordProblem(password, 'lin')).toBeNull()
  })
})
