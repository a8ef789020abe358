import { Anchor, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import { useServerAction } from '#src/data/server.ts'
import classes from '#src/frame/shell/shell.module.css'
import type { LaterDialogProps } from '#src/frame/shell/useLaterDialog.tsx'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import { NOTICES_PATH, noticePath } from '#src/paths/noticePath.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import { NoticeGroupMark } from './NoticeGroupMark.tsx'
import { useNotices } from './useNotices.ts'

/**
 * The notices that the user has not read, each with a link to what it is about. A notice that was read leaves the list.
 */
export function NoticesDialog({ opened, onClose }: LaterDialogProps) {
  const { t } = useTranslation(['shell', 'common'])
  const errorText = useErrorText()
  const act = useServerAction()
  const { unread, total, isKnown } = useNotices()
  const needs = useNeedsServer()
  const [failed, setFailed] = useState<ApiError | null>(null)
  const read = async (noticeIds: readonly string[]) => {
    const done = await act('notice.click', { body: { noticeIds: [...noticeIds] } })
    setFailed(done.ok ? null : done.error)
  }
  return (
    <Sheet opened={opened} onClose={onClose} title={t('notices.title')} size="lg">
      <Stack gap="md">
        {failed !== null && (
          <Note tone="error" live>
            {errorText(failed)}
          </Note>
        )}
        {!isKnown && needs !== null ? (
          <Note tone="info" title={needs} live />
        ) : unread.length === 0 ? (
          <EmptyState title={t(isKnown ? 'notices.none' : 'notices.unknown')} />
        ) : (
          <ul className={classes.notices} aria-label={t('notices.title')}>
            {unread.map((notice) => {
              const { id, kind, title, releaseTime } = notice
              const to = noticePath(notice)
              return (
                <li key={id}>
                  <div>
                    {to === null ? (
                      title
                    ) : (
                      <Anchor
                        component={Link}
                        to={to}
                        onClick={() => {
                          void read([id])
                          onClose()
                        }}
                      >
                        {title}
                      </Anchor>
                    )}
                    <span className={classes.noticeFacts}>
                      <NoticeGroupMark kind={kind} />
                      <time dateTime={releaseTime}>{fullTime(releaseTime)}</time>
                    </span>
                  </div>
                  <Button
                    variant="default"
                    size="md"
                    aria-label={t('notices.readOne', { title })}
                    onClick={() => void read([id])}
                  >
                    {t('notices.read')}
                  </Button>
                </li>
              )
            })}
          </ul>
        )}
        {total > unread.length && <p>{t('notices.more', { count: total - unread.length })}</p>}
        <SheetFoot>
          <Button variant="default" size="md" component={Link} to={NOTICES_PATH} onClick={onClose}>
            {t('notices.all')}
          </Button>
          {unread.length > 1 && (
            <Button variant="default" size="md" onClick={() => void read(unread.map(({ id }) => id))}>
              {t('notices.readAll')}
            </Button>
          )}
        </SheetFoot>
      </Stack>
    </Sheet>
  )
}
