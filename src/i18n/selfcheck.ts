import i18next from 'i18next'

import { selfcheck as selfcheckEn } from './en/selfcheck.ts'
import { selfcheck as selfcheckZh } from './zh/selfcheck.ts'

/** Adds the texts of the self-check, which comes without a sign-in and by itself. */
export function addSelfCheckTexts(): void {
  i18next.addResourceBundle('zh', 'selfcheck', selfcheckZh)
  i18next.addResourceBundle('en', 'selfcheck', selfcheckEn)
}
