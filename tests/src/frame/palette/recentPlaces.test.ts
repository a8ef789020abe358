import { expect, test } from 'vitest'
import { recentPlaces, rememberPlace } from '#src/frame/palette/recentPlaces.ts'

test('the last places are kept, of a patient only the last one, and none for the next user', () => {
  rememberPlace('lin', '/device', '')
  rememberPlace('lin', '/eCRF/a', '?p=1')
  rememberPlace('lin', '/eCRF/b', '?p=1')
  rememberPlace('lin', '/eCRF/a/page/x', '?p=1')
  expect(recentPlaces('lin').map(({ pathname }) => pathname)).toEqual(['/eCRF/a/page/x', '/eCRF/b', '/device'])
  expect(recentPlaces('gao')).toEqual([])
  rememberPlace('gao', '/attention', '')
  expect(recentPlaces('lin')).toEqual([])
  expect(recentPlaces('gao')).toHaveLength(1)
  expect(localStorage.length + sessionStorage.length).toBe(0)
})
