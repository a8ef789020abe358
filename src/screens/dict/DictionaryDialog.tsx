import { Text, TextInput, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { typedCode } from '#core/wire/shapes.ts'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import { LONGEST_LABEL, labelProblem, readEntryLines } from '#core/study/projectDictionary.ts'
import type { ReadEntries } from '#core/study/projectDictionary.ts'
import { useServerAction } from '#src/data/server.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { Note } from '#src/ui/Note.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { useForm } from '#src/ui/useForm.ts'

import { ProblemLines } from './ProblemLines.tsx'
import { useEntryProblem, useEntryRefusal } from './entryWords.ts'

interface DictionaryDialogProps {
  readonly projectId: string
  /** The dictionary to change; null to make a new one. */
  readonly dictionary: DictRow | null
  readonly onSaved: (id: string) => void
  readonly onClose: () => void
}

/** Makes a dictionary together with its entries, one a line; or renames one. */
export function DictionaryDialog({ projectId, dictionary, onSaved, onClose }: DictionaryDialogProps) {
  const { t } = useTranslation('dict')
  const act = useServerAction()
  const refused = useEntryRefusal()
  const isNew = dictionary === null
  const form = useDictionaryForm(dictionary)
  const read = readEntryLines(form.getValues().lines)
  const save = async () => {
    const { code, dictValue, labelEn } = form.getValues()
    const children = read.entries.map(({ parentKey: _none, ...entry }) => entry)
    const answer = isNew
      ? await act('projectDict.fastSubmit', {
          body: { projectId, code: code.trim(), dictValue, labelEn, children },
          projectId,
        })
      : await act('projectDict.submit', { body: { projectId, id: dictionary.id, dictValue, labelEn }, projectId })
    if (answer.ok) onSaved(answer.value.id)
    return refused(answer)
  }
  return (
    <SubmitDialog
      title={isNew ? t('dictionary.addTitle') : t('dictionary.editTitle')}
      submit={isNew ? t('dictionary.create') : t('dictionary.save')}
      size="lg"
      onClose={onClose}
      onSubmit={() => (form.validate().hasErrors || read.problems.length > 0 ? null : save())}
    >
      <TextInput
        size="md"
        required
        disabled={!isNew}
        label={t('dictionary.code')}
        description={t('dictionary.codeHint')}
        maxLength={20}
        {...(isNew ? { 'data-autofocus': true } : {})}
        {...form.getInputProps('code')}
      />
      <TextInput
        size="md"
        required
        label={t('dictionary.name')}
        maxLength={LONGEST_LABEL}
        {...form.getInputProps('dictValue')}
      />
      <TextInput
        size="md"
        label={t('dictionary.english')}
        maxLength={LONGEST_LABEL}
        {...form.getInputProps('labelEn')}
      />
      {isNew && (
        <>
          <Textarea
            size="md"
            label={t('dictionary.lines')}
            description={t('dictionary.linesHint')}
            placeholder={t('dictionary.linesExample')}
            rows={8}
            {...form.getInputProps('lines')}
          />
          <Preview read={read} />
        </>
      )}
    </SubmitDialog>
  )
}

/** The values of the dialog; code and name are checked at the submit. */
function useDictionaryForm(dictionary: DictRow | null) {
  const { t } = useTranslation('dict')
  const problem = useEntryProblem()
  return useForm({
    initialValues: {
      code: dictionary?.code ?? '',
      dictValue: dictionary?.dictValue ?? '',
      labelEn: dictionary?.labelEn ?? '',
      lines: '',
    },
    validate: {
      code: (value) => (typedCode.safeParse(value.trim()).success ? null : t('dictionary.codeWrong')),
      dictValue: (value) => {
        const wrong = labelProblem(value)
        return wrong === null ? null : problem(wrong)
      },
    },
  })
}

/** How many entries the preview draws. */
const SHOWN = 50

/** The entries that the lines will become, and the lines that are invalid. */
function Preview({ read: { entries, problems } }: { readonly read: ReadEntries }) {
  const { t } = useTranslation('dict')
  return (
    <>
      {problems.length > 0 && (
        <Note tone="error" title={t('dictionary.wrongLines', { count: problems.length })} live>
          <ProblemLines problems={problems} />
        </Note>
      )}
      {entries.length > 0 && (
        <>
          <Text size="sm" component="output">
            {t('dictionary.previewCount', { count: entries.length })}
            {entries.length > SHOWN && ` · ${t('dictionary.previewMore', { shown: SHOWN })}`}
          </Text>
          <DataTable
            caption={t('dictionary.preview')}
            rows={entries.slice(0, SHOWN)}
            rowKey={({ dictKey }) => dictKey}
            columns={[
              { key: 'key', title: t('columns.key'), cell: ({ dictKey }) => dictKey },
              { key: 'label', title: t('columns.label'), cell: ({ dictValue }) => dictValue },
              { key: 'english', title: t('columns.english'), cell: ({ labelEn }) => labelEn ?? '' },
            ]}
          />
        </>
      )}
    </>
  )
}
