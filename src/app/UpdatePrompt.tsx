import { Button, Dialog, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#src/session/useSession.ts'

import { isUpdateNeeded, onUpdateNeed } from './updateNeed.ts'
import { watchUpdates } from './updates.ts'
import type { UpdatePromptState, Updates } from './updates.ts'

const NONE: UpdatePromptState = { kind: 'none' }
/** How often a newer version is looked for while the server takes nothing from this one. */
const LOOK_EVERY_MS = 60_000

/** Says that there is a new version, what it waits for, and what a person can do. */
export function UpdatePrompt() {
  const { t } = useTranslation('common')
  const { outdated } = useSession()
  const needed = useSyncExternalStore(onUpdateNeed, isUpdateNeeded)
  const [found, setFound] = useState<UpdatePromptState>(NONE)
  const [later, setLater] = useState<string | null>(null)
  const updates = useRef<Updates | null>(null)

  useEffect(() => {
    if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
    const watching = watchUpdates(setFound)
    updates.current = watching
    return () => watching.stop()
  }, [])
  useEffect(() => {
    if (!needed) return
    updates.current?.look()
    const timer = setInterval(() => updates.current?.look(), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [needed])

  const kind = kindOf(found, outdated, needed)
  const words = `${kind} ${needed}`
  if (kind === 'none') return null
  const act = {
    offered: () => updates.current?.agree(),
    // Asked for: there is nothing more to do than to wait.
    coming: () => undefined,
    held: () => updates.current?.tryAgain(),
    outdated: () => updates.current?.reload(),
    needed: () => updates.current?.look(),
  }[kind]
  return (
    <Dialog
      opened={later !== words}
      onClose={() => setLater(words)}
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
          {found.kind === 'offered' && found.tabs > 1 && ` ${t('update.tabs', { count: found.tabs })}`}
        </Text>
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={() => setLater(words)}>
            {t(kind === 'coming' ? 'action.close' : 'update.later')}
          </Button>
          {kind !== 'coming' && <Button onClick={() => void act()}>{t(`update.${kind}.submit`)}</Button>}
        </Group>
      </Stack>
    </Dialog>
  )
}

/** What a person should know first. */
function kindOf(found: UpdatePromptState, outdated: boolean, needed: boolean): UpdatePromptState['kind'] | 'outdated' | 'needed' {
  if (found.kind !== 'none') return found.kind
  if (outdated) return 'outdated'
  return needed ? 'needed' : 'none'
}
