import { Loader, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Note } from '#src/ui/Note.tsx'

import type { Assignees } from './assignees.ts'

interface AssigneeSelectProps {
  readonly of: Assignees
  /** Whether it is about several queries. */
  readonly isSeveral?: boolean
  readonly value: string | null
  readonly isMissing: boolean
  readonly onChange: (value: string | null) => void
}

/** The choice of the person to whom queries are given. */
export function AssigneeSelect({ of, isSeveral = false, value, isMissing, onChange }: AssigneeSelectProps) {
  const { t } = useTranslation(['query', 'common'])
  if (of.choices === null) return <Loader size="sm" aria-label={t('common:loading')} />
  if (of.choices.length === 0) return <Note tone="info">{t(isSeveral ? 'assign.nobodyForAll' : 'assign.nobody')}</Note>
  return (
    <Select
      size="md"
      searchable={of.choices.length > 6}
      data-autofocus
      label={t('assign.to')}
      placeholder={t('assign.choose')}
      nothingFoundMessage={t('assign.notFound')}
      description={of.isOffline ? t('assign.offline') : null}
      data={[...of.choices]}
      value={value}
      error={isMissing && value === null ? t('assign.needsPerson') : null}
      onChange={onChange}
    />
  )
}
