import { IconPlayerPause, IconSettings } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ProjectRole } from '#core/access/permissions.ts'
import type { MemberRow, ProjectRow } from '#core/api/sync/rows.ts'
import { useMembers } from '#src/data/hooks/projects.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { timeAgo } from '#src/ui/words/format.ts'

import { BarAction } from './BarAction.tsx'
import classes from './bar.module.css'

/** Specification §6. */
const tones: Readonly<Record<ProjectRole, string>> = {
  CRC: 'success',
  CRA: 'warning',
  PI: 'danger',
  PM: 'primary',
  DBD: 'info',
  ADMIN: 'info',
}

interface MemberListProps {
  readonly project: ProjectRow
  readonly onChosen: () => void
}

/**
 * The members of the team: role, whether stopped, when they were last here. Managing the team needs the right to do so.
 */
export function MemberList({ project, onChosen }: MemberListProps) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const members = useMembers(project.id)
  const manage = () => {
    onChosen()
    void navigate(`/p/${project.id}/admin/mem`)
  }
  return (
    <div className={classes.panel}>
      <Loaded of={members} rows={6}>
        {(all) => (
          <>
            {all.length === 0 && <p className={classes.title}>{t('member.none')}</p>}
            <ul className={classes.list}>
              {all.map((member) => (
                <MemberLine key={member.id} member={member} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {project.permissions.includes('mem') && (
        <div className={classes.foot}>
          <BarAction icon={<IconSettings size={20} aria-hidden="true" />} onClick={manage}>
            {t('member.manage')}
          </BarAction>
        </div>
      )}
    </div>
  )
}

function MemberLine({ member }: { readonly member: MemberRow }) {
  const { t, i18n } = useTranslation(['shell', 'projects'])
  const { realName, userRole, status, lastLoginTime } = member
  return (
    <li className={classes.line}>
      <span className={`${classes.badge} ${classes.avatar}`} aria-hidden="true">
        {realName.trim().slice(0, 1)}
      </span>
      <span className={classes.body}>
        {realName}
        <small>
          {lastLoginTime === null
            ? t('member.never')
            : t('member.last', { when: timeAgo(lastLoginTime, i18n.language) })}
        </small>
      </span>
      {status === 'pause' && (
        <span className={`${classes.note} ${classes.stopped}`}>
          <IconPlayerPause size={14} aria-hidden="true" />
          {t('member.stopped')}
        </span>
      )}
      <span className={classes.tag} data-tone={tones[userRole]}>
        {t(`projects:role.${userRole}`)}
      </span>
    </li>
  )
}
