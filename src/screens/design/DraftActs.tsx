import { Button, Group, Stack, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DesignStep } from '#core/api/calls/design.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useServerQuery } from '#src/data/server.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

import type { DesignEditor, DesignView } from './designEditor.ts'

/** The acts on a draft, with author and time, and the way back to the state before each. */

/** How many lines of the history are shown at once: as many as are kept. */
const MOST_LINES = 200
/** How many acts of others are named above a design. */
const MOST_TOLD = 3

/** The names of the visits and pages that an act touched, and how many there are. */
function partsText({ parts }: Pick<DesignStep, 'parts'>, t: TFunction<'design'>): string {
  return parts
    .map(({ part, count, names }) =>
      t(`history.parts.${part}`, { count, names: `${names.join('、')}${names.length < count ? '…' : ''}` }),
    )
    .join('；')
}

function actText(act: DesignStep, t: TFunction<'design'>): string {
  const { kind, source, mode } = act
  const parts = partsText(act, t)
  const done =
    kind === 'import'
      ? t('history.kinds.import', { source: source ?? '', mode: t(`history.modes.${mode ?? 'replace'}`) })
      : t(`history.kinds.${kind}`)
  return parts === '' ? done : `${done}：${parts}`
}

/** Names what others have done while this design is open. */
export function JoinedNote({ acts }: { readonly acts: readonly DesignStep[] }) {
  const { t } = useTranslation('design')
  return (
    <Note tone={acts.some(({ kind }) => kind !== 'edit') ? 'warning' : 'info'} live>
      {acts.slice(0, MOST_TOLD).map((act) => (
        <Text key={act.id} size="sm">
          {t('joined', { name: act.byName, time: fullTime(act.at), what: actText(act, t) })}
        </Text>
      ))}
    </Note>
  )
}

/** The last import, as long as nothing was restored after it: one press brings back the state before. */
export function LastImport({ editor, view }: { readonly editor: DesignEditor; readonly view: DesignView }) {
  const { t } = useTranslation('design')
  const act = view.acts.find(({ kind }) => kind !== 'edit')
  if (act?.kind !== 'import' || !touchesWhatWas(act)) return null
  return (
    <Note tone="info">
      <Group gap="sm">
        <Text size="sm">{t('history.line', { name: act.byName, time: fullTime(act.at), what: actText(act, t) })}</Text>
        <RestoreButton editor={editor} act={act} label={t('history.beforeImport')} />
      </Group>
    </Note>
  )
}

/** An import into an empty draft has no earlier state that somebody would look for. */
function touchesWhatWas({ mode, parts }: DesignStep): boolean {
  return (
    parts.length > 0 &&
    (mode !== 'replace' || parts.some(({ part }) => part !== 'visitsAdded' && part !== 'pagesAdded'))
  )
}

interface RestoreButtonProps {
  readonly editor: DesignEditor
  readonly act: DesignStep
  readonly label: string
  readonly onDone?: () => void
}

function RestoreButton({ editor, act, label, onDone }: RestoreButtonProps) {
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const restore = async () => {
    setBusy(true)
    const failed = await editor.restore(act.id)
    setBusy(false)
    setError(failed)
    if (failed === null) onDone?.()
  }
  return (
    <>
      <Button h={36} size="sm" variant="light" loading={busy} onClick={() => void restore()}>
        {label}
      </Button>
      {error !== null && (
        <Text role="alert" size="sm" c="red.9">
          {errorText(error)}
        </Text>
      )}
    </>
  )
}

interface HistoryDialogProps {
  readonly editor: DesignEditor
  readonly projectId: string
  readonly crfId: string
  readonly rev: string
  readonly onClose: () => void
}

/** All acts on the draft that are kept. A restore is itself a line of the history. */
export function HistoryDialog({ editor, projectId, crfId, rev, onClose }: HistoryDialogProps) {
  const { t } = useTranslation(['design', 'common'])
  const acts = useServerQuery(
    'version.designHistory',
    { params: { id: crfId }, query: { current: 1, size: MOST_LINES }, projectId },
    rev,
  )
  return (
    <Sheet isTall title={t('history.title')} size="xl" onClose={onClose}>
      <Stack>
        <Text size="sm">{t('history.hint')}</Text>
        <Loaded of={acts} rows={3}>
          {({ records }) =>
            records.length === 0 ? (
              <Text>{t('history.none')}</Text>
            ) : (
              <DataTable
                caption={t('history.title')}
                rows={records}
                rowKey={({ id }) => id}
                columns={[
                  { key: 'at', title: t('history.when'), short: true, cell: ({ at }) => fullTime(at) },
                  { key: 'by', title: t('history.who'), short: true, cell: ({ byName }) => byName },
                  { key: 'what', title: t('history.what'), cell: (act) => actText(act, t) },
                  {
                    key: 'restore',
                    title: '',
                    short: true,
                    cell: (act) => (
                      <RestoreButton editor={editor} act={act} label={t('history.restore')} onDone={onClose} />
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Stack>
    </Sheet>
  )
}
