import { IconDatabaseExport } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import type { DataSet, DataSetFacts } from '#core/api/calls/data/dataset.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'

import { DefinitionFacts } from '../DefinitionFacts.tsx'
import classes from '../export.module.css'
import { NEW, draftKey, useDraft } from '../exportDraft.ts'
import { NewSetButton, SetList } from './SetList.tsx'
import { SetPane } from './SetPane.tsx'

interface DefinePartProps extends WorkspacePlace {
  readonly userId: string
  /** Ids of the data sets that are being edited. */
  readonly edited: readonly string[]
  /** Whether the right to export has ended. */
  readonly isEnded: boolean
}

/** The data sets beside the one that is open. */
export function DefinePart({ project, userId, edited, isEnded }: DefinePartProps) {
  const projectId = project.id
  const [address, setAddress] = useSearchParams()
  const asked = isEnded ? null : { query: { projectId }, projectId }
  const sets = useServerQuery('dataset.list', asked)
  const facts = useServerQuery('dataset.facts', asked)
  const choose = (setId: string) => setAddress({ set: setId }, { replace: true })
  if (isEnded) return edited.map((setId) => <EndedDraft key={setId} draftOfKey={draftKey(userId, projectId, setId)} />)
  return (
    <Loaded of={sets} rows={6}>
      {(known) => {
        const openId = openOf(known, edited, address.get('set'))
        return (
          <div className={classes.panes}>
            <SetList sets={known} edited={edited} openId={openId} onChoose={choose} />
            <OpenSet {...{ known, openId, facts, projectId, userId }} onChoose={choose} />
          </div>
        )
      }}
    </Loaded>
  )
}

/** The one that the address names; else what is being edited; else the first. */
function openOf(known: readonly DataSet[], edited: readonly string[], asked: string | null): string | null {
  if (asked === NEW || known.some(({ id }) => id === asked)) return asked
  if (edited.includes(NEW)) return NEW
  return known[0]?.id ?? null
}

interface OpenSetProps {
  readonly known: readonly DataSet[]
  readonly openId: string | null
  readonly facts: Loadable<DataSetFacts>
  readonly projectId: string
  readonly userId: string
  readonly onChoose: (setId: string) => void
}

function OpenSet({ known, openId, facts, projectId, userId, onChoose }: OpenSetProps) {
  const { t } = useTranslation('dataExport')
  if (openId === null)
    return (
      <EmptyState
        icon={<IconDatabaseExport size={44} stroke={1.4} />}
        title={t('list.empty')}
        text={t('list.emptyText')}
        action={<NewSetButton onMake={() => onChoose(NEW)} />}
      />
    )
  const set = known.find(({ id }) => id === openId) ?? null
  return (
    <section className={classes.pane}>
      <Loaded of={facts} rows={10}>
        {(value) => <SetPane key={openId} {...{ projectId, userId, set, onChoose }} facts={value} />}
      </Loaded>
    </section>
  )
}

/** What was edited when the right ended. */
function EndedDraft({ draftOfKey }: { readonly draftOfKey: string }) {
  const { t } = useTranslation('dataExport')
  const [draft] = useDraft(draftOfKey)
  if (draft === null) return null
  return (
    <section aria-label={draft.name || t('list.unnamed')}>
      <h2 className={classes.title}>{draft.name || t('list.unnamed')}</h2>
      <DefinitionFacts definition={draft.definition} facts={null} />
    </section>
  )
}
