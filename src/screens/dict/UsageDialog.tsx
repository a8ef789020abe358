import { useTranslation } from 'react-i18next'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import { useServerQuery } from '#src/data/server.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

import { UsageList } from './UsageList.tsx'
import { useEntryName } from './entryWords.ts'

interface UsageDialogProps {
  readonly projectId: string
  readonly row: DictRow
  readonly onClose: () => void
}

/** Shows where a dictionary is used. */
export function UsageDialog({ projectId, row, onClose }: UsageDialogProps) {
  const { t } = useTranslation(['dict', 'common'])
  const name = useEntryName()(row)
  const usages = useServerQuery('projectDict.usages', { query: { projectId, id: row.id }, projectId })
  return (
    <Sheet onClose={onClose} title={t('usage.title', { name })} size="lg">
      <Loaded of={usages} rows={3}>
        {(all) =>
          all.length === 0 ? <EmptyState title={t('usage.none')} /> : <UsageList projectId={projectId} usages={all} />
        }
      </Loaded>
    </Sheet>
  )
}
