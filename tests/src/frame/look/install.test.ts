import { afterEach, describe, expect, it, vi } from 'vitest'
import { install, installWay } from '#src/frame/look/install.ts'
import { watchInstall } from '#src/frame/look/installOffer.ts'

const IPAD =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15'
const TABLET =
  'Mozilla/5.0 (Linux; Android 14; SM-X200) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

/** A device as it says itself what it is. */
function device(
  userAgent: string,
  more: { readonly touch?: boolean; readonly mode?: string; readonly secure?: boolean } = {},
): void {
  vi.stubGlobal('isSecureContext', more.secure ?? true)
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
  Object.defineProperty(navigator, 'maxTouchPoints', { configurable: true, value: more.touch === true ? 5 : 0 })
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const matches =
      query === `(display-mode: ${more.mode ?? 'browser'})` || (query === '(pointer: coarse)' && more.touch === true)
    return { matches } as MediaQueryList
  })
}

afterEach(() => {
  window.dispatchEvent(new Event('appinstalled'))
})

describe('how the app can be installed', () => {
  it('by hand on an iPad, which says that it is a Mac; not on a Mac', () => {
    device(IPAD, { touch: true })
    expect(installWay()).toBe('steps')
    device(IPAD)
    expect(installWay()).toBe('none')
  })

  it('by the browser where it offers it, once; from its menu on a tablet where it does not', async () => {
    watchInstall()
    device(TABLET, { touch: true })
    expect(installWay()).toBe('menu')
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => ({ outcome: 'accepted' }),
    })
    window.dispatchEvent(offer)
    expect(offer.defaultPrevented).toBe(true)
    expect(installWay()).toBe('offer')
    expect(await install()).toBe(true)
    expect(installWay()).toBe('menu')
    expect(await install()).toBe(false)
  })

  it('no more by the browser once it has been installed another way', () => {
    watchInstall()
    device(TABLET, { touch: true })
    window.dispatchEvent(new Event('beforeinstallprompt', { cancelable: true }))
    expect(installWay()).toBe('offer')
    window.dispatchEvent(new Event('appinstalled'))
    expect(installWay()).toBe('menu')
  })

  it('not where it is installed already, nor at an address that is not secure', () => {
    device(TABLET, { touch: true, mode: 'standalone' })
    expect(installWay()).toBe('installed')
    device(IPAD, { touch: true, secure: false })
    expect(installWay()).toBe('none')
  })
})
