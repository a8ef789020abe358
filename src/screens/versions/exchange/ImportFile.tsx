import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ChooseFile } from '#src/ui/ChooseFile.tsx'
import { Note } from '#src/ui/Note.tsx'

import { FileTroubleText } from './FileTroubleText.tsx'
import { ImportPreview } from './ImportPreview.tsx'
import type { ChosenFile } from './useDefinitionFile.ts'

interface ImportFileProps {
  readonly chosen: ChosenFile
  /** The name of the one folder for all pages, where the file has no visits. */
  readonly folder: string
  readonly onFolder: (name: string) => void
}

/** The choice of the file, the problems in it, and a preview of the result. */
export function ImportFile({ chosen: { reading, file, trouble, read }, folder, onFolder }: ImportFileProps) {
  const { t } = useTranslation('admin')
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('crf.import.chooseHint')}
      </Text>
      <ChooseFile
        accept=".csv,.xlsx,.xls,.xml,.json"
        label={t('crf.import.choose')}
        reading={reading ? t('crf.import.reading') : null}
        name={file?.name ?? null}
        onChoose={(chosen) => void read(chosen)}
      />
      {trouble !== null && (
        <Note tone="error" live>
          <FileTroubleText trouble={trouble} />
        </Note>
      )}
      {file !== null && <ImportPreview definition={file.definition} />}
      {file?.definition.folders.length === 0 && (
        <TextInput
          size="md"
          label={t('crf.import.folder')}
          description={t('crf.import.folderHint')}
          maxLength={200}
          value={folder}
          onChange={(event) => onFolder(event.currentTarget.value)}
        />
      )}
    </>
  )
}
