import { Button, FileButton, Group, Loader, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import type { MouseEvent } from 'react'

interface ChooseFileProps {
  /** File endings and types that may be chosen, as an input takes them. */
  readonly accept: string
  readonly label: string
  /** The text while a file is read; null while none is read. */
  readonly reading: string | null
  /** The name of the file that was chosen last; null before the first. */
  readonly name: string | null
  readonly onChoose: (file: File | null) => void
}

/** A file that was corrected and has its old name is chosen again: else the browser says that nothing has changed. */
function forgetFile({ currentTarget }: MouseEvent<HTMLInputElement>): void {
  currentTarget.value = ''
}

/** A button to choose a file, with the name of the chosen one. */
export function ChooseFile({ accept, label, reading, name, onChoose }: ChooseFileProps) {
  return (
    <Group>
      <FileButton accept={accept} onChange={onChoose} inputProps={{ onClick: forgetFile }}>
        {(props) => (
          <Button {...props} size="md" variant="default" leftSection={<IconFileUpload size={18} aria-hidden="true" />}>
            {label}
          </Button>
        )}
      </FileButton>
      {reading !== null && <Loader size={24} aria-label={reading} />}
      {name !== null && <Text>{name}</Text>}
    </Group>
  )
}
