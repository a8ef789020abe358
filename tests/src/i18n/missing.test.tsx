import { screen } from '@testing-library/react'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { show, speak } from '#tests/src/support/screen.tsx'

/** A screen that asks for a text which only some languages have. */
function Asking({ text }: { readonly text: string }) {
  const { t } = useTranslation()
  return <p>{(t as (key: string) => string)(text)}</p>
}

beforeEach(() => speak('en'))
afterEach(() => i18next.removeResourceBundle('zh', 'late').removeResourceBundle('en', 'late'))

test('a text that English lacks is shown in Chinese', () => {
  i18next.addResourceBundle('zh', 'late', { only: '仅有中文' })
  show(<Asking text="late:only" />)
  expect(screen.getByText('仅有中文')).toBeTruthy()
})

test('a text that no language has fails the test of the screen that asks for it', () => {
  expect(() => show(<Asking text="common:nowhere" />)).toThrow('no text for common:nowhere')
})
