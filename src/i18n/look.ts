import i18next from 'i18next'

import { look as lookEn } from './en/look.ts'
import { look as lookZh } from './zh/look.ts'

/** Adds the texts of theme and colour, which are wanted before the sign-in too. */
export function addLookTexts(): void {
  i18next.addResourceBundle('zh', 'look', lookZh)
  i18next.addResourceBundle('en', 'look', lookEn)
}
