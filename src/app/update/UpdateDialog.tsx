import { Button, Dialog, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** What can be said of a new version. */
export type UpdateKind = 'offered' | 'coming' | 'held' | 'outdated' | 'needed'

interface UpdateDialogProps {
  readonly kind: UpdateKind
  /** Whether the server takes nothing more from this version. */
  readonly needed: boolean
  /** How many tabs are open where an update is offered. */
  readonly tabs: number
  readonly opened: boolean
  readonly onLater: () => void
  readonly onAct: () => void
}

/** What a new version waits for, and what a person can do. Loaded when there is something to say. */
export function UpdateDialog({ kind, needed, tabs, opened, onLater, onAct }: UpdateDialogProps) {
  const { t } = useTranslation('common')
  return (
    <Dialog
      opened={opened}
      onClose={onLater}
      position={{ bottom: 88, right: 16 }}
      size="md"
      shadow="md"
      withBorder
      transitionProps={{ duration: 120 }}
    >
      <Stack gap="xs" component="output">
        <Text fw={600}>{t(`update.${kind}.title`)}</Text>
        <Text size="sm">
          {needed && kind === 'offered' && `${t('update.needed.text')} `}
          {t(`update.${kind}.text`)}
          {tabs > 1 && ` ${t('update.tabs', { count: tabs })}`}
        </Text>
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={onLater}>
            {t(kind === 'coming' ? 'action.close' : 'update.later')}
          </Button>
          {kind !== 'coming' && <Button onClick={onAct}>{t(`update.${kind}.submit`)}</Button>}
        </Group>
      </Stack>
    </Dialog>
  )
}
