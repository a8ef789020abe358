// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { opened } from '#tests/core/form/filling.ts'

import { i18n, show, standInForBrowser } from './screen.tsx'

/** Choices of a definition that has both languages are in the reader's. */

beforeAll(standInForBrowser)
afterEach(async () => {
  cleanup()
  await i18n.changeLanguage('zh')
})

const sex: Column = {
  prop: 'sex',
  label: '性别',
  type: 'radio',
  dicData: [
    { value: 'M', label: '男', labelEn: 'Male' },
    { value: 'U', label: '不详' },
  ],
}

describe('a choice', () => {
  it('is called in Chinese for who reads Chinese', () => {
    show(opened([sex]))
    expect(screen.getAllByRole('radio').map(({ textContent }) => textContent)).toEqual(['男', '不详'])
  })

  it('is called in English for who reads English, and as it is where there is no English', async () => {
    await i18n.changeLanguage('en')
    show(opened([sex]), { language: 'en' })
    expect(screen.getAllByRole('radio').map(({ textContent }) => textContent)).toEqual(['Male', '不详'])
  })
})
