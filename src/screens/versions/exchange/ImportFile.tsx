import { Button, FileButton, Group, Loader, Text, TextInput } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Note } from '#src/ui/Note.tsx'

import { FileTroubleText } from './FileTroubleText.tsx'
import { ImportPreview } from './ImportPreview.tsx'
import type { ChosenFile } from './useDefinitionFile.ts'

interface ImportFileProps {
  readonly chosen: ChosenFile
  /** What the one folder is called that pages go into where the file knows of no visits. */
  readonly folder: string
  readonly onFolder: (name: string) => void
}

/** Choosing the file, what is wrong with it, and what it would become. */
export function ImportFile({ chosen: { reading, file, trouble, read }, folder, onFolder }: ImportFileProps) {
  const { t } = useTranslation('admin')
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('crf.import.chooseHint')}
      </Text>
      <Group>
        <FileButton accept=".csv,.xlsx,.xls,.xml,.json" onChange={(chosen) => void read(chosen)}>
          {(props) => (
            <Button
              {...props}
              size="md"
              variant="default"
              leftSection={<IconFileUpload size={18} aria-hidden="true" />}
            >
              {t('crf.import.choose')}
            </Button>
          )}
        </FileButton>
        {reading && <Loader size={24} aria-label={t('crf.import.reading')} />}
        {file !== null && <Text>{file.name}</Text>}
      </Group>
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
