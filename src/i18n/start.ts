import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from '#core/language.ts'
import { loadPart } from '#src/parts/loadPart.ts'

import { earlyZh } from './early.zh.ts'

/**
 * Starts the translation with the texts that sign-in needs. Those of the other screens come with the code behind the
 * sign-in (`inside.ts`), and English with the wish for it, so that they do not weigh on the first load.
 */
export async function startTranslation(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'zh',
    fallbackLng: 'zh',
    ns: ['common', 'login', 'errors'],
    defaultNS: 'common',
    resources: { zh: earlyZh },
    interpolation: { escapeValue: false },
    returnNull: false,
    react: { useSuspense: false },
  })
  await changeLanguage(language)
}

/** Changes the language of the app. Where English cannot be loaded now, Chinese stands in for it. */
export async function changeLanguage(language: Language): Promise<void> {
  if (language === 'en' && !i18next.hasResourceBundle('en', 'common')) {
    const part = await loadPart(() => import('./early.en.ts'))
    if (part !== null) addTexts('en', part.earlyEn)
  }
  // Before the screens hear of it: those behind the sign-in name the window after themselves.
  markDocument(language)
  await i18next.changeLanguage(language)
}

function addTexts(language: Language, texts: Readonly<Record<string, object>>): void {
  for (const [namespace, resources] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, resources)
}

function markDocument(language: Language): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  document.title = i18next.t('product', { lng: language })
}
