import { Button, Group, Stack, Switch, TextInput } from '@mantine/core'
import { startTransition, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataSet, DataSetFacts } from '#core/api/calls/data/dataset.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { hasTrail, isCasebookFormat } from '#core/dataset/formats.ts'
import type { DataFormatId } from '#core/dataset/formats.ts'
import { newId } from '#core/ids.ts'
import { useServerAction } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from '../export.module.css'
import { NEW, draftKey, draftOf, faultsOf, useDraft } from '../exportDraft.ts'
import type { Draft } from '../exportDraft.ts'
import { RunDialog } from '../runs/RunDialog.tsx'
import { DeidentifySection } from './DeidentifySection.tsx'
import { FormatSection } from './FormatSection.tsx'
import { PagesSection } from './PagesSection.tsx'
import { PreviewPart } from './PreviewPart.tsx'
import { SdtmSection } from './SdtmSection.tsx'
import type { SectionProps } from './section.ts'
import { ShapeSection } from './ShapeSection.tsx'
import { WhoSection } from './WhoSection.tsx'

interface SetPaneProps {
  readonly projectId: string
  readonly userId: string
  /** Null for one that was never saved. */
  readonly set: DataSet | null
  readonly facts: DataSetFacts
  readonly onChoose: (setId: string) => void
}

/** A data set: its definition in sections, a preview, and the export. */
export function SetPane({ projectId, userId, set, facts, onChoose }: SetPaneProps) {
  const { t } = useTranslation('dataExport')
  const language = useLanguage()
  const [edited, setDraft] = useDraft(draftKey(userId, projectId, set?.id ?? NEW))
  const draft = edited ?? draftOf(set, language)
  const definition = lawful(draft.definition, facts)
  const [isRunning, setRunning] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const put = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const section: SectionProps = {
    definition,
    facts,
    put: (change) => put({ definition: { ...definition, ...change } }),
  }
  const faults = faultsOf({ definition })
  const barred = faults[0] === undefined ? null : t(FAULT_WORDS[faults[0]])
  return (
    <Stack gap="md">
      <SetHead
        {...{ projectId, set, draft, definition, put, onChoose }}
        isEdited={edited !== null}
        setDraft={setDraft}
        isSaving={isSaving}
        setSaving={setSaving}
      />
      {/* What was changed while it is saved would go with the draft, and a new set opens anew once it is. */}
      <fieldset disabled={isSaving} className={classes.held}>
        <Stack gap="md">
          <PagesSection {...section} />
          <WhoSection {...section} />
          <ShapeSection {...section} />
          <DeidentifySection {...section} />
          <FormatSection {...section} />
          <SdtmSection {...section} projectId={projectId} />
          <PreviewPart projectId={projectId} definition={definition} barred={barred} />
          {faults.length > 0 && (
            <Note tone="error" live>
              {faults.map((fault) => t(FAULT_WORDS[fault])).join(' ')}
            </Note>
          )}
          <Group>
            <ServerButton size="md" barred={barred} onClick={() => setRunning(true)}>
              {t('run.open')}
            </ServerButton>
          </Group>
        </Stack>
      </fieldset>
      {isRunning && (
        <RunDialog
          projectId={projectId}
          setId={edited === null ? (set?.id ?? null) : null}
          name={draft.name.trim() === '' ? t('list.unnamed') : draft.name}
          definition={definition}
          onClose={() => setRunning(false)}
        />
      )}
    </Stack>
  )
}

const FAULT_WORDS = {
  pages: 'pages.nothing',
  days: 'who.order',
  formats: 'formats.required',
  casebooks: 'formats.isDeidentified',
  sdtm: 'sdtm.required',
  centers: 'run.empty',
} as const

/** A definition as this reader may run it: de-identified where nothing else is theirs, with the formats that are. */
function lawful(
  definition: DataSetDefinition,
  { mayIdentify, mayReadBothPasses, mayReadTrail }: DataSetFacts,
): DataSetDefinition {
  const isLawful = (format: DataFormatId) =>
    (mayIdentify || !isCasebookFormat(format)) && (mayReadTrail || !hasTrail(format))
  return {
    ...definition,
    formats: definition.formats.filter(isLawful),
    ...(mayIdentify ? {} : { deidentify: { ...definition.deidentify, on: true } }),
    ...(mayReadBothPasses ? {} : { passes: 'first' as const }),
  }
}

interface SetHeadProps extends Pick<SetPaneProps, 'projectId' | 'set' | 'onChoose'> {
  readonly draft: Draft
  readonly definition: DataSetDefinition
  readonly isEdited: boolean
  readonly put: (change: Partial<Draft>) => void
  readonly setDraft: (draft: Draft | null) => void
  readonly isSaving: boolean
  readonly setSaving: (isSaving: boolean) => void
}

function SetHead(props: SetHeadProps) {
  const { projectId, set, draft, definition, isEdited, put, setDraft, isSaving, setSaving, onChoose } = props
  const { t } = useTranslation('dataExport')
  const errorText = useErrorText()
  const act = useServerAction()
  const [failure, setFailure] = useState<ApiError | null>(null)
  const [isTried, setTried] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const isOwn = set === null || set.isMine
  const lacksName = draft.name.trim() === ''
  const save = async (asNew: boolean) => {
    setTried(true)
    if (lacksName) return
    setSaving(true)
    setFailure(null)
    const id = asNew || set === null ? newId() : set.id
    const rev = asNew ? 0 : (set?.rev ?? 0)
    const body = { projectId, id, rev, name: draft.name.trim(), shared: isOwn && draft.shared, definition }
    const saved = await act('dataset.save', { body, projectId })
    if (!saved.ok) {
      setSaving(false)
      return setFailure(saved.error)
    }
    setDraft(null)
    onChoose(id)
    // The address changes as a transition: the pane of a new set is not open again before the saved one stands there.
    return startTransition(() => setSaving(false))
  }
  const remove = async () => {
    if (set === null) return
    const removed = await act('dataset.remove', { body: { projectId, id: set.id }, projectId })
    setRemoving(false)
    if (removed.ok) setDraft(null)
    else setFailure(removed.error)
  }
  return (
    <Panel>
      <Stack gap="sm">
        {!isOwn && <Note tone="info">{t('set.foreign', { name: set.ownerName })}</Note>}
        <TextInput
          size="md"
          required
          maxLength={100}
          label={t('set.name')}
          value={draft.name}
          readOnly={isSaving}
          error={isTried && lacksName ? t('set.nameRequired') : null}
          onChange={(event) => put({ name: event.currentTarget.value })}
        />
        {isOwn && <SharedSwitch {...{ draft, put, isSaving }} />}
        {failure !== null && (
          <Note tone="error" live>
            {failure.code === 'revision_changed' ? t('set.changed') : errorText(failure)}
          </Note>
        )}
        <SetActs
          {...{ set, isOwn, isEdited }}
          busy={isSaving}
          onSave={save}
          onDiscard={() => setDraft(null)}
          onRemove={() => setRemoving(true)}
        />
      </Stack>
      <ConfirmDialog
        opened={isRemoving}
        title={t('set.removeTitle', { name: set?.name ?? '' })}
        text={t('set.removeText')}
        submit={t('set.remove')}
        danger
        onConfirm={remove}
        onClose={() => setRemoving(false)}
      />
    </Panel>
  )
}

function SharedSwitch({ draft, put, isSaving }: Pick<SetHeadProps, 'draft' | 'put' | 'isSaving'>) {
  const { t } = useTranslation('dataExport')
  return (
    <Switch
      size="md"
      label={t('set.shared')}
      description={t('set.sharedHint')}
      checked={draft.shared}
      disabled={isSaving}
      onChange={(event) => put({ shared: event.currentTarget.checked })}
    />
  )
}

interface SetActsProps extends Pick<SetPaneProps, 'set'> {
  readonly isOwn: boolean
  readonly isEdited: boolean
  readonly busy: boolean
  readonly onSave: (asNew: boolean) => Promise<void>
  readonly onDiscard: () => void
  readonly onRemove: () => void
}

function SetActs({ set, isOwn, isEdited, busy, onSave, onDiscard, onRemove }: SetActsProps) {
  const { t } = useTranslation('dataExport')
  return (
    <Group>
      {isOwn && (
        <ServerButton size="md" variant="default" loading={busy} onClick={() => void onSave(false)}>
          {t('set.save')}
        </ServerButton>
      )}
      {set !== null && (
        <ServerButton size="md" variant="default" loading={busy} onClick={() => void onSave(true)}>
          {t('set.saveAs')}
        </ServerButton>
      )}
      {isEdited && (
        <Button size="md" variant="subtle" color="gray" disabled={busy} onClick={onDiscard}>
          {t('set.discard')}
        </Button>
      )}
      {set !== null && isOwn && (
        <ServerButton size="md" variant="subtle" color="red.9" onClick={onRemove}>
          {t('set.remove')}
        </ServerButton>
      )}
    </Group>
  )
}
