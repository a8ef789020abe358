import { IconBook2, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext, useSearchParams } from 'react-router-dom'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import { MOST_DICTIONARIES } from '#core/study/projectDictionary.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'

import { DictTree } from './DictTree.tsx'
import { DictionaryDialog } from './DictionaryDialog.tsx'
import { DictionaryPane } from './DictionaryPane.tsx'
import classes from './dict.module.css'

/** The dictionaries of a project: a tree, and the entries of the chosen dictionary. */
export function DictScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation('dict')
  const dictionaries = useServerQuery('projectDict.parentList', {
    query: { projectId: project.id, current: 1, size: MOST_DICTIONARIES },
    projectId: project.id,
  })
  const [adding, setAdding] = useState(false)
  const [asked, setAsked] = useSearchParams()
  const mayEdit = project.permissions.includes('dict_edit') && project.projectStatus !== 'close'
  const choose = (dict: string, at: string | null) =>
    setAsked((before) => withPlace(before, dict, at), { replace: true })
  const addButton = (
    <ServerButton size="md" leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setAdding(true)}>
      {t('add')}
    </ServerButton>
  )
  return (
    <PageFrame title={t('title')} intro={t('intro')} wide actions={mayEdit ? addButton : undefined}>
      {!mayEdit && <Note tone="info">{t('readOnly')}</Note>}
      <Loaded of={dictionaries} rows={6}>
        {({ records }) =>
          records.length === 0 ? (
            <EmptyState
              icon={<IconBook2 size={44} stroke={1.4} />}
              title={t('empty.title')}
              text={mayEdit ? t('empty.text') : t('empty.readText')}
              {...(mayEdit ? { action: addButton } : {})}
            />
          ) : (
            <Panes
              projectId={project.id}
              dictionaries={records}
              mayEdit={mayEdit}
              dict={asked.get('dict')}
              at={asked.get('at')}
              onChoose={choose}
            />
          )
        }
      </Loaded>
      {adding && (
        <DictionaryDialog
          projectId={project.id}
          dictionary={null}
          onSaved={(id) => choose(id, null)}
          onClose={() => setAdding(false)}
        />
      )}
    </PageFrame>
  )
}

/** The same address with another place in it. */
function withPlace(before: URLSearchParams, dict: string, at: string | null): URLSearchParams {
  const next = new URLSearchParams(before)
  next.set('dict', dict)
  if (at === null) next.delete('at')
  else next.set('at', at)
  return next
}

interface PanesProps {
  readonly projectId: string
  readonly dictionaries: readonly DictRow[]
  readonly mayEdit: boolean
  /** Ids of the dictionary and of its entry, as the address names them. */
  readonly dict: string | null
  readonly at: string | null
  readonly onChoose: (dict: string, at: string | null) => void
}

function Panes({ projectId, dictionaries, mayEdit, dict, at, onChoose }: PanesProps) {
  const root = dictionaries.find(({ id }) => id === dict) ?? dictionaries[0]
  const rootId = root?.id ?? ''
  const entries = useServerQuery('projectDict.childList', { query: { projectId, parentId: rootId }, projectId })
  const known = entries.state === 'ready' ? entries.value : []
  return (
    <div className={classes.panes}>
      <DictTree
        dictionaries={dictionaries}
        rootId={rootId}
        entries={known}
        chosenId={at ?? rootId}
        onChoose={(row) => (row.parentId === null ? onChoose(row.id, null) : onChoose(rootId, row.id))}
      />
      {root !== undefined && (
        <section>
          <Loaded of={entries} rows={6}>
            {(all) => (
              <DictionaryPane
                key={rootId}
                projectId={projectId}
                root={root}
                entries={all}
                at={at}
                mayEdit={mayEdit}
                onChoose={(id) => onChoose(rootId, id)}
              />
            )}
          </Loaded>
        </section>
      )}
    </div>
  )
}
