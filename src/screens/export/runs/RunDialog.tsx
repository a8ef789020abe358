import { Stack, Switch, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import type { DataSetPreview } from '#core/api/calls/data/dataset.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { newId } from '#core/ids.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'
import { SheetActs } from '#src/ui/dialogs/SheetActs.tsx'
import { figure } from '#src/ui/words/format.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { SmallGroups } from '../define/PreviewPart.tsx'
import { formatKey } from '../formatKey.ts'

interface RunDialogProps {
  readonly projectId: string
  /** The data set as it is saved; null where it was changed since. */
  readonly setId: string | null
  readonly name: string
  readonly definition: DataSetDefinition
  readonly onClose: () => void
}

/** Says what is about to leave, and asks what for and whether abroad. */
export function RunDialog({ projectId, setId, name, definition, onClose }: RunDialogProps) {
  const { t } = useTranslation('dataExport')
  const act = useServerAction()
  const [, setAddress] = useSearchParams()
  const preview = useServerQuery('dataset.preview', { body: { projectId, definition }, projectId }, 'run')
  const [id] = useState(newId)
  const [said, setSaid] = useState<Said>({ purpose: '', isAbroad: false, ground: '' })
  const [isTried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const purpose = said.purpose.trim()
  const ground = said.ground.trim()
  const isIdentified = !definition.deidentify.on
  const isReady = preview.state === 'ready' && preview.value.tables !== null && preview.value.subjects > 0
  const start = async () => {
    setTried(true)
    if (purpose === '' || (said.isAbroad && ground === '')) return
    setBusy(true)
    setFailure(null)
    const crossBorder = said.isAbroad ? ground : null
    const body = { projectId, id, setId, name: name.trim(), definition, purpose, crossBorder }
    const asked = await act('dataset.run', { body, projectId })
    setBusy(false)
    if (!asked.ok) return setFailure(asked.error)
    onClose()
    setAddress({ part: 'runs' })
  }
  return (
    <Sheet title={t('run.title')} size={720} closesOnTapBeside={false} onClose={onClose}>
      <Stack>
        <Loaded of={preview} rows={4}>
          {(value) => <WhatLeaves preview={value} definition={definition} />}
        </Loaded>
        <WhatFor said={said} isTried={isTried} onSay={setSaid} />
        <Text size="sm">{t(isIdentified ? 'run.waits' : 'run.kept')}</Text>
        <SheetActs
          submit={t(isIdentified ? 'run.submitWaiting' : 'run.submit')}
          disabled={!isReady}
          onSubmit={() => void start()}
          {...{ busy, failure, onClose }}
        />
      </Stack>
    </Sheet>
  )
}

interface WhatLeavesProps {
  readonly preview: DataSetPreview
  readonly definition: DataSetDefinition
}

function WhatLeaves({ preview, definition }: WhatLeavesProps) {
  const { t } = useTranslation('dataExport')
  const between = useLanguage() === 'zh' ? '、' : ', '
  const { subjects, entries, tables, casebooks, conflicts, small } = preview
  if (tables === null) return <Note tone="error">{t('preview.tooWide')}</Note>
  if (subjects === 0) return <Note tone="error">{t('run.empty')}</Note>
  return (
    <Stack gap="sm">
      <FactList
        facts={[
          [t('run.subjects'), figure(subjects, 0)],
          [t('run.entries'), figure(entries, 0)],
          ...(tables.length === 0 ? [] : [[t('run.tables'), figure(tables.length, 0)] as const]),
          ...(casebooks === null ? [] : [[t('run.queries'), figure(casebooks.queries, 0)] as const]),
          ...(casebooks === null || casebooks.trailLines === null
            ? []
            : [[t('run.trailLines'), figure(casebooks.trailLines, 0)] as const]),
          [t('run.formats'), definition.formats.map((format) => t(`dataFormat.${formatKey(format)}`)).join(between)],
          [t('run.kind'), t(definition.deidentify.on ? 'run.deidentified' : 'run.identified')],
        ]}
      />
      {!definition.deidentify.on && <Note tone="warning">{t('run.identified')}</Note>}
      {conflicts > 0 && <Note tone="warning">{t('preview.conflicts', { count: conflicts })}</Note>}
      <SmallGroups small={small} />
    </Stack>
  )
}

interface Said {
  readonly purpose: string
  readonly isAbroad: boolean
  readonly ground: string
}

interface WhatForProps {
  readonly said: Said
  readonly isTried: boolean
  readonly onSay: (said: Said) => void
}

/** What for, and whether abroad. */
function WhatFor({ said, isTried, onSay }: WhatForProps) {
  const { t } = useTranslation('dataExport')
  return (
    <>
      <Textarea
        size="md"
        required
        autosize
        minRows={2}
        maxLength={500}
        label={t('run.purpose')}
        description={t('run.purposeHint')}
        value={said.purpose}
        error={isTried && said.purpose.trim() === '' ? t('run.required') : null}
        onChange={(event) => onSay({ ...said, purpose: event.currentTarget.value })}
      />
      <Switch
        size="md"
        label={t('run.abroad')}
        checked={said.isAbroad}
        onChange={(event) => onSay({ ...said, isAbroad: event.currentTarget.checked })}
      />
      {said.isAbroad && (
        <Textarea
          size="md"
          required
          autosize
          minRows={2}
          maxLength={1000}
          label={t('run.abroadReason')}
          description={t('run.abroadHint')}
          value={said.ground}
          error={isTried && said.ground.trim() === '' ? t('run.required') : null}
          onChange={(event) => onSay({ ...said, ground: event.currentTarget.value })}
        />
      )}
    </>
  )
}
