import { Button, Group, Modal, Radio, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { VersionFormat } from '#core/exchange/exportFormats.ts'
import { formatFiles, versionFormats } from '#core/exchange/exportFormats.ts'
import { versionFileName } from '#core/exchange/versionFileName.ts'
import type { WrittenDefinition } from '#core/exchange/writeDefinition.ts'
import type { ProjectRow, VersionRow } from '#core/api/sync/rows.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { NotWrittenTable } from './NotWrittenTable.tsx'
import type { DefinitionWork } from './definitionFile.ts'
import { writeVersionFile } from './definitionFile.ts'
import exportClasses from './export.module.css'
import classes from './import.module.css'

interface ExportDialogProps {
  readonly project: Pick<ProjectRow, 'id' | 'projectName'>
  readonly version: Pick<VersionSummary, 'id' | 'versionNoDesc'>
  readonly onClose: () => void
}

type Step =
  | { readonly at: 'choosing' | 'writing' | 'failed' }
  | { readonly at: 'refused'; readonly error: ApiError }
  | { readonly at: 'written'; readonly written: WrittenDefinition }

/** Where the words for a format are. */
const WORDS = {
  'odm-1.3.2': 'odm1',
  'odm-2.0': 'odm2',
  redcap: 'redcap',
  xlsform: 'xlsform',
  workbook: 'workbook',
  json: 'json',
  crf: 'crf',
} as const satisfies Readonly<Record<VersionFormat, string>>

/** Writes a version as the server has it in a format, says what the format has no word for, and hands over the file. */
export function ExportDialog({ project, version, onClose }: ExportDialogProps) {
  const { t, i18n } = useTranslation(['versions', 'common'])
  const errorText = useErrorText()
  const { call } = useSession()
  const [format, setFormat] = useState<VersionFormat>('odm-1.3.2')
  const [step, setStep] = useState<Step>({ at: 'choosing' })

  // Whoever closes the dialog does not wait for the file.
  const under = useRef<DefinitionWork<WrittenDefinition> | null>(null)
  const closed = useRef(false)
  useEffect(() => {
    closed.current = false
    return () => {
      closed.current = true
      under.current?.stop()
    }
  }, [])

  const choose = (value: string) => {
    setFormat(versionFormats.find((one) => one === value) ?? format)
    setStep({ at: 'choosing' })
  }
  const writeRow = async (row: VersionRow) => {
    const language = i18n.language === 'en' ? 'en' : 'zh'
    under.current = writeVersionFile(row, format, {
      studyName: project.projectName,
      writtenAt: new Date().toISOString(),
      language,
    })
    try {
      const written = await under.current.done
      setStep(written === null ? { at: 'failed' } : { at: 'written', written })
    } catch (cause) {
      setStep({ at: 'failed' })
      throw cause
    }
  }
  const write = async () => {
    setStep({ at: 'writing' })
    const row = await call('version.detail', { params: { id: version.id }, projectId: project.id })
    if (closed.current) return
    if (row.ok) await writeRow(row.value)
    else setStep({ at: 'refused', error: row.error })
  }
  const save = ({ content }: WrittenDefinition) => {
    const part = typeof content === 'string' ? content : new Uint8Array(content)
    downloadFile(
      versionFileName(project.projectName, version.versionNoDesc, format),
      new Blob([part], { type: formatFiles[format].mediaType }),
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('export.title', { version: version.versionNoDesc })}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
    >
      <Stack>
        <Radio.Group size="md" label={t('export.format')} value={format} onChange={choose}>
          <div className={exportClasses.formats}>
            {versionFormats.map((one) => (
              <Radio
                key={one}
                size="md"
                value={one}
                disabled={step.at === 'writing'}
                data-autofocus={one === format || undefined}
                label={t(`export.formats.${WORDS[one]}.name`)}
                description={t(`export.formats.${WORDS[one]}.text`)}
                classNames={{ body: exportClasses.format ?? '' }}
              />
            ))}
          </div>
        </Radio.Group>
        {step.at === 'failed' && (
          <Note tone="error" live>
            {t('export.failed')}
          </Note>
        )}
        {step.at === 'refused' && (
          <Note tone="error" live>
            {errorText(step.error)}
          </Note>
        )}
        {step.at === 'written' && <Outcome written={step.written} />}
        <Group justify="flex-end" className={classes.actions}>
          <Button variant="default" size="md" onClick={onClose}>
            {step.at === 'written' ? t('common:action.close') : t('common:action.cancel')}
          </Button>
          {step.at === 'written' ? (
            <Button
              size="md"
              leftSection={<IconDownload size={18} aria-hidden="true" />}
              onClick={() => save(step.written)}
            >
              {t('export.save')}
            </Button>
          ) : (
            <Button
              size="md"
              loading={step.at === 'writing'}
              {...(step.at === 'writing' ? { 'aria-label': t('export.writing') } : {})}
              onClick={() => void write()}
            >
              {t('export.write')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

function Outcome({ written: { notWritten } }: { readonly written: WrittenDefinition }) {
  const { t } = useTranslation('versions')
  if (notWritten.length === 0) {
    return (
      <Note tone="done" live>
        {t('export.whole')}
      </Note>
    )
  }
  return (
    <>
      <Note tone="warning" title={t('export.parts', { count: notWritten.length })} live>
        {t('export.partsText')}
      </Note>
      <NotWrittenTable parts={notWritten} />
    </>
  )
}
