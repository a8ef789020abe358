import { describe, expect, test } from 'vitest'
import { wrongMobile } from '#core/study/mobile.ts'
import { enrolmentOf } from '#src/screens/patients/enrolment.ts'
import { wrongDay } from '#src/ui/words/personChecks.ts'

describe('enrolling a patient', () => {
  test('a day may be typed as eight digits, and may not lie in the future', () => {
    expect(wrongDay('', '2026-11-21')).toBeNull()
    expect(wrongDay('20261121', '2026-11-21')).toBeNull()
    expect(wrongDay('20261122', '2026-11-21')).toBe('future')
    expect(wrongDay('20260231', '2026-11-21')).toBe('date')
    expect(wrongDay('昨天', '2026-11-21')).toBe('date')
  })

  test('a mobile number has eleven digits', () => {
    expect(wrongMobile('')).toBeNull()
    expect(wrongMobile('13800138000')).toBeNull()
    expect(wrongMobile('1380013800')).toBe('mobileLength')
    expect(wrongMobile('23800138000')).toBe('mobileFormat')
    // No network begins with 12: the server refuses it of an account, too.
    expect(wrongMobile('12800138000')).toBe('mobileFormat')
  })

  test('what was left empty is nothing, not empty text', () => {
    const values = {
      centerId: 'c',
      initials: ' ZSF ',
      sex: '',
      enrolledOn: '20261101',
      name: '',
      mobile: '',
      birthDate: '',
    } as const
    expect(enrolmentOf('p', values)).toEqual({
      projectId: 'p',
      centerId: 'c',
      initials: 'ZSF',
      sex: null,
      enrolledOn: '2026-11-01',
      identity: { name: null, mobile: null, email: null, birthDate: null },
    })
  })
})
