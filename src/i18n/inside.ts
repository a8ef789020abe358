import i18next from 'i18next'

import { en } from './en.ts'
import { zh } from './zh.ts'

/** Adds the texts of what lies behind the sign-in. */
export function addInsideTexts(): void {
  for (const [language, texts] of Object.entries({ zh, en })) {
    for (const [namespace, resources] of Object.entries(texts))
      i18next.addResourceBundle(language, namespace, resources)
  }
}
