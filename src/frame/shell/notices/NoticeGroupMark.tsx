import {
  IconArrowsSplit2,
  IconCalendarDue,
  IconClipboardCheck,
  IconClockExclamation,
  IconDatabaseExport,
  IconInbox,
  IconMessageQuestion,
  IconMessageReply,
  IconRocket,
  IconShieldCheck,
  IconUserCheck,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { groupOf } from '#core/api/noticeKinds.ts'
import type { NoticeGroup, NoticeKind } from '#core/api/noticeKinds.ts'

import classes from './noticeGroup.module.css'

const ICONS: Readonly<Record<NoticeGroup, Icon>> = {
  query_site: IconMessageQuestion,
  query_review: IconMessageReply,
  query_overdue: IconClockExclamation,
  conflict: IconArrowsSplit2,
  inbox: IconInbox,
  visit_due: IconCalendarDue,
  approval: IconClipboardCheck,
  export_waits: IconShieldCheck,
  export_ended: IconDatabaseExport,
  release: IconRocket,
  assigned: IconUserCheck,
}

/** What a notice is about, in a word. */
export function NoticeGroupMark({ kind }: { readonly kind: NoticeKind }) {
  const { t } = useTranslation('notices')
  const group = groupOf(kind)
  const Mark = ICONS[group]
  return (
    <span className={classes.group}>
      <Mark size={16} stroke={1.6} aria-hidden="true" />
      {t(`group.${group}`)}
    </span>
  )
}
