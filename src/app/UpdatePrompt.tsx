import { Button, Dialog, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Workbox } from 'workbox-window'

import { flushOpenPages } from './beforeReload.ts'
import { openTabs } from './tabs.ts'

/**
 * Registers the service worker and asks before a new version takes over. A version that was waiting already when the app started in
 * its only tab takes over at once: nothing is on the screen yet. In all other cases a person decides, because every tab reloads.
 */
export function UpdatePrompt() {
  const { t } = useTranslation('common')
  const [tabs, setTabs] = useState<number | null>(null)
  const worker = useRef<Workbox | null>(null)

  useEffect(() => {
    if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
    const workbox = new Workbox('/sw.js')
    worker.current = workbox
    workbox.addEventListener('waiting', (event) => {
      void openTabs().then((count) => {
        if (count === 1 && event.wasWaitingBeforeRegister === true) workbox.messageSkipWaiting()
        else setTabs(count)
      })
    })
    workbox.addEventListener('controlling', (event) => {
      // The first worker of this device takes over a page that is as new as itself.
      if (event.isUpdate === true) void flushOpenPages().then(() => window.location.reload())
    })
    // Where the browser keeps no worker for this site (private window, policy), the app works online only.
    void workbox.register().catch(ignoreRefusal)
    const lookAgain = () => {
      if (document.visibilityState === 'visible') void workbox.update().catch(ignoreRefusal)
    }
    document.addEventListener('visibilitychange', lookAgain)
    return () => document.removeEventListener('visibilitychange', lookAgain)
  }, [])

  const update = async () => {
    const { allSaved } = await flushOpenPages()
    if (allSaved) worker.current?.messageSkipWaiting()
  }

  return (
    <Dialog
      opened={tabs !== null}
      onClose={() => setTabs(null)}
      position={{ bottom: 88, right: 16 }}
      size="md"
      shadow="md"
      withBorder
      transitionProps={{ duration: 120 }}
    >
      <Stack gap="xs" component="output">
        <Text fw={600}>{t('update.title')}</Text>
        <Text size="sm">
          {t('update.text')}
          {tabs !== null && tabs > 1 && ` ${t('update.tabs', { count: tabs })}`}
        </Text>
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={() => setTabs(null)}>
            {t('update.later')}
          </Button>
          <Button onClick={() => void update()}>{t('update.submit')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Registering and updating need the network and the browser's consent; what they throw says that one of them is missing. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof TypeError || error instanceof DOMException)) throw error
}
