import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttention, useServerConflicts } from '#src/data/hooks/sync.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { EmptyInbox } from '#src/ui/illustrations/EmptyInbox.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'

import { AttentionItem } from './AttentionItem.tsx'
import { NotHerePanel } from './NotHerePanel.tsx'
import { SetAsideDialog } from './SetAsideDialog.tsx'
import { TaskList } from './TaskList.tsx'
import classes from './attention.module.css'
import { groupByTask } from './groups.ts'

/** What needs a person, by what has to be done, each with its reason in words and the one next step. */
export function AttentionScreen() {
  const { t } = useTranslation('attention')
  const items = useAttention()
  const server = useServerConflicts()
  const notHere = server.state === 'ready' ? server.value : []
  const [aside, setAside] = useState<string | null>(null)
  return (
    <PageFrame title={t('title')} intro={t('intro')}>
      <Loaded of={items} rows={3}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              icon={<EmptyInbox />}
              title={t('empty.title')}
              text={t('empty.text')}
              compact={notHere.length > 0}
            />
          ) : (
            groupByTask(all).map(({ task, items: ofTask }) => (
              <TaskList key={task} title={t(`task.${task}`)} count={ofTask.length} isMine={task !== 'wait'}>
                {ofTask.map((item) => (
                  <li key={item.id} className={classes.item}>
                    <AttentionItem item={item} onSetAside={setAside} />
                  </li>
                ))}
              </TaskList>
            ))
          )
        }
      </Loaded>
      <NotHerePanel conflicts={notHere} />
      {aside !== null && <SetAsideDialog opKey={aside} onClose={() => setAside(null)} />}
    </PageFrame>
  )
}
