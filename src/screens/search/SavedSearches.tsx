import { ActionIcon, Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SavedSearch } from '#core/api/calls/data/search.ts'
import { useServerAction } from '#src/data/server.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'

import classes from './search.module.css'

interface SavedSearchesProps {
  readonly projectId: string
  readonly searches: readonly SavedSearch[]
  readonly onOpen: (search: SavedSearch) => void
  readonly onRemoved: (id: string) => void
}

/** The searches that are kept: one's own, and those that are shared. */
export function SavedSearches({ projectId, searches, onOpen, onRemoved }: SavedSearchesProps) {
  const { t } = useTranslation('search')
  const act = useServerAction()
  const [removing, setRemoving] = useState<SavedSearch | null>(null)
  return (
    <Panel title={t('saved.title')}>
      {searches.length === 0 ? (
        <p className={classes.by}>{t('saved.none')}</p>
      ) : (
        <ul className={classes.saved}>
          {searches.map((search) => (
            <li key={search.id}>
              <Button
                size="md"
                variant="subtle"
                justify="start"
                aria-label={t('saved.open', { name: search.name })}
                onClick={() => onOpen(search)}
              >
                {search.name}
              </Button>
              <span className={classes.by}>
                {[
                  ...(search.isShared ? [t('saved.shared')] : []),
                  ...(search.isOwn ? [] : [t('saved.by', { name: search.byName })]),
                ].join(' · ')}
              </span>
              {search.isOwn && (
                <ActionIcon
                  size={44}
                  variant="subtle"
                  color="gray"
                  aria-label={t('saved.remove', { name: search.name })}
                  onClick={() => setRemoving(search)}
                >
                  <IconTrash size={20} />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      )}
      {removing !== null && (
        <SubmitDialog
          title={t('saved.sure', { name: removing.name })}
          submit={t('saved.remove', { name: removing.name })}
          size="md"
          onSubmit={() =>
            act('search.remove', { body: { id: removing.id, projectId }, projectId }).then((said) => {
              if (said.ok) onRemoved(removing.id)
              return said
            })
          }
          onClose={() => setRemoving(null)}
        >
          <p>{t('saved.note')}</p>
        </SubmitDialog>
      )}
    </Panel>
  )
}
