import i18next from 'i18next'

import { guide as guideEn } from './en/guide.ts'
import { guide as guideZh } from './zh/guide.ts'

/** Adds the texts of the guide, which comes by itself and only in a demo. */
export function addGuideTexts(): void {
  i18next.addResourceBundle('zh', 'guide', guideZh)
  i18next.addResourceBundle('en', 'guide', guideEn)
}
