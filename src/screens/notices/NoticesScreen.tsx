import { Button, SegmentedControl } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { ALL_NOTICE_KINDS } from '#core/api/noticeKinds.ts'
import type { Notice } from '#core/api/calls/notice.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { NoticeGroupMark } from '#src/frame/shell/notices/NoticeGroupMark.tsx'
import { noticePath } from '#src/paths/noticePath.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { EmptyInbox } from '#src/ui/illustrations/EmptyInbox.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { Pages } from '#src/ui/lists/Pages.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { NoticeSettingsDialog } from './NoticeSettingsDialog.tsx'
import classes from './notices.module.css'

const PAGE_SIZE = 20
const WHICH = ['unread', 'all'] as const

/** Everything that the user was told or asked, the latest first: also what they have read, and what is settled. */
export function NoticesScreen() {
  const { t } = useTranslation('notices')
  const errorText = useErrorText()
  const act = useServerAction()
  const [which, setWhich] = useState<(typeof WHICH)[number]>('unread')
  const [current, setCurrent] = useState(1)
  const [failed, setFailed] = useState<ApiError | null>(null)
  const [isSetting, setSetting] = useState(false)
  const language = useLanguage()
  // The server words them: titles of another language are not shown until they are read again.
  const query = { ...(which === 'unread' ? { status: '0' } : {}), current, size: PAGE_SIZE, kinds: ALL_NOTICE_KINDS }
  const found = useServerQuery('notice.list', { query }, language)
  const read = async (notices: readonly Notice[]) => {
    const done = await act('notice.click', { body: { noticeIds: notices.map(({ id }) => id) } })
    setFailed(done.ok ? null : done.error)
  }
  const unread = found.state === 'ready' ? found.value.records.filter(isUnread) : []
  return (
    <PageFrame
      title={t('title')}
      intro={t('intro')}
      actions={
        <>
          {unread.length > 1 && (
            <Button variant="default" size="md" onClick={() => void read(unread)}>
              {t('readAll')}
            </Button>
          )}
          <ServerButton
            variant="default"
            size="md"
            leftSection={<IconAdjustments size={18} stroke={1.6} aria-hidden="true" />}
            onClick={() => setSetting(true)}
          >
            {t('settings.open')}
          </ServerButton>
        </>
      }
    >
      {isSetting && <NoticeSettingsDialog onClose={() => setSetting(false)} />}
      <SegmentedControl
        className={classes.which ?? ''}
        aria-label={t('which')}
        value={which}
        onChange={(value) => {
          setWhich(WHICH.find((one) => one === value) ?? 'unread')
          setCurrent(1)
        }}
        data={WHICH.map((value) => ({ value, label: t(value) }))}
      />
      {failed !== null && (
        <Note tone="error" live>
          {errorText(failed)}
        </Note>
      )}
      <Loaded of={found} rows={6}>
        {({ records, pages, total }) =>
          records.length === 0 ? (
            <EmptyState icon={<EmptyInbox />} title={t(`empty.${which}.title`)} text={t(`empty.${which}.text`)} />
          ) : (
            <>
              <ul className={classes.list} aria-label={t('title')}>
                {records.map((notice) => (
                  <NoticeLine key={notice.id} notice={notice} onRead={() => void read([notice])} />
                ))}
              </ul>
              <Pages pages={pages} total={total} current={current} onChange={setCurrent} />
            </>
          )
        }
      </Loaded>
    </PageFrame>
  )
}

interface NoticeLineProps {
  readonly notice: Notice
  readonly onRead: () => void
}

function NoticeLine({ notice, onRead }: NoticeLineProps) {
  const { t } = useTranslation('notices')
  const { kind, title, releaseTime, read, ended } = notice
  const to = noticePath(notice)
  const waits = isUnread(notice)
  return (
    <li className={classes.line} data-waits={waits || undefined}>
      <div className={classes.words}>
        {to === null ? (
          <span className={classes.title}>{title}</span>
        ) : (
          <Link to={to} className={classes.title} onClick={waits ? onRead : undefined}>
            {title}
          </Link>
        )}
        <span className={classes.facts}>
          <NoticeGroupMark kind={kind} />
          <span aria-hidden="true">·</span>
          <time dateTime={releaseTime}>{fullTime(releaseTime)}</time>
          <span aria-hidden="true">·</span>
          <span>{t(`state.${ended ? 'ended' : read ? 'read' : 'unread'}`)}</span>
        </span>
      </div>
      {waits && (
        <Button variant="default" size="md" aria-label={t('readOf', { title })} onClick={onRead}>
          {t('read')}
        </Button>
      )}
    </li>
  )
}

/** Whether it still counts at the bell. */
function isUnread({ read, ended }: Notice): boolean {
  return !read && !ended
}
