import { useTranslation } from 'react-i18next'
import type { ProjectStatus } from '#core/study/projectStatus.ts'
import { projectStatusNames } from '#core/study/projectStatus.ts'

/** Names a project's status in the reader's language. */
export function useStatusName(): (status: ProjectStatus) => string {
  const { i18n } = useTranslation()
  const names = projectStatusNames[i18n.language === 'en' ? 'en' : 'zh']
  return (status) => names[status]
}
