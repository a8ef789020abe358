import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { PermissionCode } from '#core/access/permissions.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import { mayDo } from '#core/study/versionLife.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { designPath, patientsPath, uatPath } from '#src/paths/screenPaths.ts'

import classes from './versions.module.css'
import { offeredSteps } from './useVersionSteps.ts'
import type { VersionStep } from './useVersionSteps.ts'

interface VersionButtonsProps {
  readonly project: ProjectRow
  readonly version: VersionSummary
  readonly onImport: () => void
  readonly onExport: () => void
  readonly onReview: () => void
  readonly onStep: (step: VersionStep) => void
}

/** Whether somebody may take a version out as a file that other programs read. Paper is for everybody who sees it. */
export function mayTakeDefinition({ permissions }: Pick<ProjectRow, 'permissions'>): boolean {
  return permissions.includes('export') || permissions.includes('design_edit')
}

/** The buttons for what the user may do with a version in its stage. */
export function VersionButtons({ project, version, onImport, onExport, onReview, onStep }: VersionButtonsProps) {
  const { t } = useTranslation(['admin', 'versions'])
  const can = (code: PermissionCode) => project.permissions.includes(code)
  const isEditable = mayDo(version.crfProfile, 'edit')
  return (
    <Group gap={4}>
      {can('design_edit') && (
        <Button
          size="compact-sm"
          className={classes.act ?? ''}
          variant={isEditable ? 'light' : 'subtle'}
          component={Link}
          to={designPath(project.id, version.id)}
        >
          {t(isEditable ? 'versions:design.edit' : 'versions:design.look')}
        </Button>
      )}
      {isEditable && can('design_edit') && (
        <ServerButton size="compact-sm" className={classes.act ?? ''} variant="subtle" onClick={onImport}>
          {t('crf.action.import')}
        </ServerButton>
      )}
      <Button size="compact-sm" className={classes.act} variant="subtle" onClick={onExport}>
        {t(mayTakeDefinition(project) ? 'versions:export.open' : 'versions:export.print')}
      </Button>
      {version.crfProfile === 'test' && project.functions?.includes('trial') === true && (
        <Button
          size="compact-sm"
          className={classes.act}
          variant="light"
          component={Link}
          to={uatPath(project.id, version.id)}
        >
          {t('versions:trial.open')}
        </Button>
      )}
      {version.crfProfile === 'test' && (
        <ServerButton size="compact-sm" className={classes.act ?? ''} variant="light" onClick={onReview}>
          {t('versions:approve.open')}
        </ServerButton>
      )}
      {offeredSteps(project, version).map((step) => (
        <ServerButton
          key={step}
          size="compact-sm"
          className={classes.act ?? ''}
          variant={step === 'publishTest' || step === 'release' ? 'filled' : 'subtle'}
          onClick={() => onStep(step)}
        >
          {t(`crf.action.${step}`)}
        </ServerButton>
      ))}
      {version.crfProfile === 'formal' && (
        <Button
          size="compact-sm"
          className={classes.act}
          variant="subtle"
          component={Link}
          to={patientsPath(project.id, version.id)}
        >
          {t('crf.action.enter')}
        </Button>
      )}
    </Group>
  )
}
