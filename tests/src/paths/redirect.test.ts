import { describe, expect, test } from 'vitest'
import { loginPath, reloadPath, sameOriginPath } from '#src/paths/redirect.ts'

const here = 'https://edc.example'

describe('going to an address that came in a query', () => {
  test.each([
    ['/p/1/v/2/patients', '/p/1/v/2/patients'],
    ['/eCRF/1/page/2?p=3&field=sbp#top', '/eCRF/1/page/2?p=3&field=sbp#top'],
    ['https://edc.example/projects', '/projects'],
    ['projects', '/projects'],
  ])('%s stays on this origin', (target, path) => {
    expect(sameOriginPath(target, here)).toBe(path)
  })

  test.each([
    [null],
    ['https://evil.example/projects'],
    ['//evil.example'],
    ['/\\evil.example'],
    ['https://edc.example//evil.example'],
    ['javascript:alert(1)'],
    ['http://edc.example/projects'],
    ['data:text/html,x'],
    ['http://['],
  ])('%s leads home', (target) => {
    expect(sameOriginPath(target, here)).toBe('/')
  })

  test('signing in comes back to where one was', () => {
    const address = new URL(loginPath('/eCRF/1?p=2'), here)
    expect(sameOriginPath(address.searchParams.get('to'), here)).toBe('/eCRF/1?p=2')
    expect(loginPath('/')).toBe('/login')
  })

  test('a project is loaded anew through /302', () => {
    const address = new URL(reloadPath('/p/1'), here)
    expect(address.pathname).toBe('/302')
    expect(sameOriginPath(address.searchParams.get('redirect'), here)).toBe('/p/1')
  })
})
