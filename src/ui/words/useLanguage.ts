import { useTranslation } from 'react-i18next'

/** The language that labels are shown in. */
export function useLanguage(): 'zh' | 'en' {
  const { i18n } = useTranslation()
  return i18n.language === 'en' ? 'en' : 'zh'
}
