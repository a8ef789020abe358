import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from '#core/api/messages.ts'

import { common as commonEn } from './en/common.ts'
import { login as loginEn } from './en/login.ts'
import { common as commonZh } from './zh/common.ts'
import { login as loginZh } from './zh/login.ts'

/**
 * Starts the translation with the texts that sign-in needs. Those of the other screens come with the code behind the sign-in
 * (`inside.ts`), so that they do not weigh on the first load.
 */
export async function startTranslation(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'zh',
    ns: ['common', 'login'],
    defaultNS: 'common',
    resources: { zh: { common: commonZh, login: loginZh }, en: { common: commonEn, login: loginEn } },
    interpolation: { escapeValue: false },
    returnNull: false,
    react: { useSuspense: false },
  })
  markDocument(language)
}

/** Changes the language of the app. */
export async function changeLanguage(language: Language): Promise<void> {
  await i18next.changeLanguage(language)
  markDocument(language)
}

function markDocument(language: Language): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  document.title = i18next.t('product')
}
