import { Checkbox, NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import { LONGEST_KEY, LONGEST_LABEL, keyProblem, labelProblem } from '#core/study/projectDictionary.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { useForm } from '#src/ui/useForm.ts'

import { UsageList } from './UsageList.tsx'
import { useEntryProblem, useEntryRefusal } from './entryWords.ts'

interface EntryDialogProps {
  readonly projectId: string
  /** The entry below which a new one is added; null where one is changed. */
  readonly parentId: string | null
  /** The entry to change; null where one is added. */
  readonly entry: DictRow | null
  readonly onClose: () => void
}

/**
 * Adds an entry, or changes one. Asks before the key of an entry in use changes: it names the fields that use the
 * entry, and what happens to them.
 */
export function EntryDialog({ projectId, parentId, entry, onClose }: EntryDialogProps) {
  const { t } = useTranslation('dict')
  const act = useServerAction()
  const problem = useEntryProblem()
  const refused = useEntryRefusal()
  const [asked, setAsked] = useState(false)
  const words = (code: string | null) => (code === null ? null : problem(code))
  const form = useForm({
    initialValues: {
      dictKey: entry?.dictKey ?? '',
      dictValue: entry?.dictValue ?? '',
      labelEn: entry?.labelEn ?? '',
      sort: (entry?.sort ?? '') as number | string,
      isDisabled: entry?.isDisabled ?? false,
    },
    validate: {
      dictKey: (value) => words(keyProblem(value.trim())),
      dictValue: (value) => words(labelProblem(value)),
      labelEn: (value) => (value.trim() === '' ? null : words(labelProblem(value))),
    },
  })
  const save = async () => {
    const { dictKey, dictValue, labelEn, sort, isDisabled } = form.getValues()
    const place = entry === null ? { parentId } : { id: entry.id }
    const answer = await act('projectDict.submit', {
      body: {
        ...place,
        projectId,
        dictKey: dictKey.trim(),
        dictValue,
        labelEn,
        isDisabled,
        ...(typeof sort === 'number' ? { sort } : {}),
        confirmed: asked,
      },
      projectId,
    })
    if (!answer.ok && answer.error.code === 'in_use') setAsked(true)
    return refused(answer)
  }
  return (
    <SubmitDialog
      title={entry === null ? t('entry.addTitle') : t('entry.editTitle')}
      submit={asked ? t('entry.confirm') : t('entry.save')}
      size="lg"
      onClose={onClose}
      onSubmit={() => (form.validate().hasErrors ? null : save())}
    >
      {asked && entry !== null && <InUse projectId={projectId} id={entry.id} />}
      <TextInput
        size="md"
        required
        label={t('entry.key')}
        description={t('entry.keyHint')}
        maxLength={LONGEST_KEY}
        data-autofocus
        {...form.getInputProps('dictKey')}
      />
      <TextInput
        size="md"
        required
        label={t('entry.label')}
        maxLength={LONGEST_LABEL}
        {...form.getInputProps('dictValue')}
      />
      <TextInput size="md" label={t('entry.english')} maxLength={LONGEST_LABEL} {...form.getInputProps('labelEn')} />
      <NumberInput
        size="md"
        label={t('entry.sort')}
        min={0}
        max={1_000_000}
        allowDecimal={false}
        {...form.getInputProps('sort')}
      />
      <Checkbox size="md" label={t('entry.disabled')} {...form.getInputProps('isDisabled', { type: 'checkbox' })} />
    </SubmitDialog>
  )
}

function InUse({ projectId, id }: { readonly projectId: string; readonly id: string }) {
  const { t } = useTranslation('dict')
  const usages = useServerQuery('projectDict.usages', { query: { projectId, id }, projectId })
  return (
    <>
      <Note tone="warning" title={t('usage.inUse')} />
      <Loaded of={usages} rows={2}>
        {(all) => <UsageList projectId={projectId} usages={all} />}
      </Loaded>
    </>
  )
}
