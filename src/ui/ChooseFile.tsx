import { Button, FileButton, Group, Loader, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'

interface ChooseFileProps {
  /** Endings and kinds that may be chosen, as an input takes them. */
  readonly accept: string
  readonly label: string
  /** What is said while a file is read; null while none is. */
  readonly reading: string | null
  /** The file that was chosen last; null before one was. */
  readonly name: string | null
  readonly onChoose: (file: File | null) => void
}

/** A button that a file is chosen by, and which one it was. */
export function ChooseFile({ accept, label, reading, name, onChoose }: ChooseFileProps) {
  return (
    <Group>
      <FileButton accept={accept} onChange={onChoose}>
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
