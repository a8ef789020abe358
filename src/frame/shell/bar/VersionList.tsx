import { VisuallyHidden } from '@mantine/core'
import { IconFileText, IconMessage2, IconPlus, IconSignature } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router-dom'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { crfProfileNames } from '#core/study/versionLife.ts'
import { useVersions } from '#src/data/hooks/projects.ts'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import { reloadPath } from '#src/paths/redirect.ts'
import { Loaded } from '#src/ui/Loaded.tsx'

import { BarAction } from './BarAction.tsx'
import classes from './bar.module.css'

interface VersionListProps {
  readonly project: ProjectRow
  readonly versionId: string | null
  readonly onChosen: () => void
  readonly onDraft: () => void
}

/** Screens that show the version of their address; the others show the version in use. */
const VERSION_SCREENS: ReadonlySet<string> = new Set(['design', 'controller', 'trial', 'dict'])

/**
 * The versions of a project's forms: their stage and, for drafts and tests, why they were made. A new version begins
 * here (specification §2).
 */
export function VersionList({ project, versionId, onChosen, onDraft }: VersionListProps) {
  const { t, i18n } = useTranslation(['shell', 'admin'])
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const versions = useVersions(project.id)
  const needsServer = useNeedsServer()
  const stages = crfProfileNames[i18n.language === 'en' ? 'en' : 'zh']
  const choose = ({ id, crfProfile }: VersionSummary) => {
    onChosen()
    const [, , , area, , screen, ...rest] = pathname.split('/')
    // A screen about a version itself stays. Data always use the version in use (ADR 33), so a version in work opens on
    // the screen where it is edited.
    const stays = area === 'v' && screen !== undefined && (crfProfile === 'formal' || VERSION_SCREENS.has(screen))
    const place = stays
      ? `${[screen, ...rest].join('/')}${search}`
      : crfProfile !== 'formal' && project.permissions.includes('design_edit')
        ? 'design'
        : 'patients'
    void navigate(reloadPath(`/p/${project.id}/v/${id}/${place}`))
  }
  const review = () => {
    onChosen()
    void navigate(`/p/${project.id}/admin/crfHistory`)
  }
  /** There is one version in work at a time. */
  const inWork = (all: readonly VersionSummary[]) => {
    const [profile] = all.map(({ crfProfile }) => crfProfile).filter((one) => one !== 'formal')
    return profile === undefined ? null : t(profile === 'draft' ? 'version.hasDraft' : 'version.hasTest')
  }
  return (
    <div className={classes.panel}>
      <Loaded of={versions} rows={3}>
        {(all) => (
          <>
            {needsServer !== null && <p className={classes.title}>{t('version.kept')}</p>}
            {all.length === 0 && <p className={classes.title}>{t('version.none')}</p>}
            <ul className={classes.list}>
              {all.map((version) => (
                <li key={version.id}>
                  <BarAction
                    current={version.id === versionId}
                    icon={<IconFileText size={20} aria-hidden="true" />}
                    note={stages[version.crfProfile]}
                    onClick={() => choose(version)}
                  >
                    {version.versionNoDesc}
                    {version.crfProfile !== 'formal' && version.remark !== null && <Remark>{version.remark}</Remark>}
                  </BarAction>
                  {version.crfProfile === 'test' && project.permissions.includes('project_crf_test_check') && (
                    <BarAction
                      icon={<IconSignature size={20} aria-hidden="true" />}
                      barred={needsServer}
                      onClick={() => review()}
                    >
                      {t('version.review', { version: version.versionNoDesc })}
                    </BarAction>
                  )}
                </li>
              ))}
            </ul>
            {project.permissions.includes('project_crf_new') && (
              <div className={classes.foot}>
                <BarAction
                  icon={<IconPlus size={20} aria-hidden="true" />}
                  barred={needsServer ?? inWork(all)}
                  onClick={onDraft}
                >
                  {t('admin:crf.draft.open')}
                </BarAction>
              </div>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

/** The reason why a version was made. */
function Remark({ children }: { readonly children: string }) {
  const { t } = useTranslation('shell')
  return (
    <small className={classes.remark}>
      <IconMessage2 size={14} aria-hidden="true" />
      <VisuallyHidden>{t('version.remark')}</VisuallyHidden>
      {children}
    </small>
  )
}
