import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

import { UsageList } from './UsageList.tsx'
import { useEntryName } from './entryWords.ts'

interface RemoveDialogProps {
  readonly projectId: string
  readonly row: DictRow
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Removes a dictionary or an entry, after the user has seen which fields use it. */
export function RemoveDialog({ projectId, row, onRemoved, onClose }: RemoveDialogProps) {
  const { t } = useTranslation('dict')
  const act = useServerAction()
  const usages = useServerQuery('projectDict.usages', { query: { projectId, id: row.id }, projectId })
  const isUsed = usages.state === 'ready' && usages.value.length > 0
  const remove = async () => {
    const result = await act('projectDict.remove', {
      query: { ids: row.id, ...(isUsed ? { confirmed: 'true' as const } : {}) },
      projectId,
    })
    if (result.ok) onRemoved()
    return result
  }
  return (
    <SubmitDialog
      title={t('removing.title', { name: useEntryName()(row) })}
      submit={isUsed ? t('removing.seen') : t('removing.submit')}
      size="lg"
      onClose={onClose}
      onSubmit={() => (usages.state === 'ready' ? remove() : null)}
    >
      <Text>{row.parentId === null ? t('removing.dictionary') : t('removing.entry')}</Text>
      <Loaded of={usages} rows={1}>
        {(all) =>
          all.length === 0 ? (
            <Text c="dimmed">{t('usage.none')}</Text>
          ) : (
            <>
              <Note tone="warning" title={t('usage.inUse')} />
              <UsageList projectId={projectId} usages={all} />
            </>
          )
        }
      </Loaded>
    </SubmitDialog>
  )
}
