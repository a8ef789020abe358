import { Button, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { SavedFormat } from '#core/exchange/exportFormats.ts'
import { formatFiles, isPaper, savedFormats } from '#core/exchange/exportFormats.ts'
import { paperFormats } from '#core/study/paperForms.ts'
import { versionFileName } from '#core/exchange/versionFileName.ts'
import type { WrittenDefinition } from '#core/exchange/writeDefinition.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { Note } from '#src/ui/Note.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import { FormatChoice } from './FormatChoice.tsx'
import { NotWrittenTable } from './NotWrittenTable.tsx'
import { useVersionFile } from './useVersionFile.ts'

interface ExportDialogProps {
  readonly project: Pick<ProjectRow, 'id' | 'projectName'>
  readonly version: Pick<VersionSummary, 'id' | 'versionNoDesc'>
  /** Whether only what is for paper is offered. */
  readonly isPaperOnly?: boolean
  readonly onClose: () => void
}

/** Writes the server's state of a version in a format, says what the format cannot hold, and offers the file. */
export function ExportDialog({ project, version, isPaperOnly = false, onClose }: ExportDialogProps) {
  const { t } = useTranslation(['versions', 'common'])
  const errorText = useErrorText()
  const [format, setFormat] = useState<SavedFormat>(isPaperOnly ? 'blank' : 'odm-1.3.2')
  const { step, write, startOver } = useVersionFile(project, version)

  const choose = (chosen: SavedFormat) => {
    setFormat(chosen)
    startOver()
  }
  const save = ({ content }: WrittenDefinition) => {
    const part = typeof content === 'string' ? content : new Uint8Array(content)
    downloadFile(
      versionFileName(project.projectName, version.versionNoDesc, format),
      new Blob([part], { type: formatFiles[format].mediaType }),
    )
  }
  return (
    <Sheet
      isTall
      onClose={onClose}
      size="xl"
      title={t(isPaperOnly ? 'export.printTitle' : 'export.title', { version: version.versionNoDesc })}
    >
      <Stack>
        <FormatChoice
          formats={isPaperOnly ? paperFormats : savedFormats}
          format={format}
          onFormat={choose}
          disabled={step.at === 'writing'}
        />
        {step.at === 'failed' && (
          <Note tone="error" live>
            {t('export.failed')}
          </Note>
        )}
        {step.at === 'refused' && (
          <Note tone="error" live>
            {step.error.code === 'not_available' && isPaper(format) ? t('export.noPrint') : errorText(step.error)}
          </Note>
        )}
        {step.at === 'written' && <Outcome written={step.written} />}
        <SheetFoot>
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
              onClick={() => void write(format)}
            >
              {t('export.write')}
            </Button>
          )}
        </SheetFoot>
      </Stack>
    </Sheet>
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
