import { IconCircleCheck, IconFlask, IconHistory, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { VersionRecord } from '#core/api/calls/version.ts'
import { crfProfileNames } from '#core/study/versionLife.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from './versions.module.css'

const MARKS = {
  draft: IconPencil,
  test: IconFlask,
  formal: IconCircleCheck,
  superseded: IconHistory,
  deleted: IconTrash,
}

/** The stage of a version, as a chip. */
export function VersionStage({ version }: { readonly version: VersionRecord }) {
  const { t } = useTranslation('versions')
  const profiles = crfProfileNames[useLanguage()]
  const { crfProfile, deleted, superseded } = version
  const stage = deleted ? 'deleted' : superseded ? 'superseded' : crfProfile
  const Mark = MARKS[stage]
  return (
    <span className={classes.stage} data-stage={stage}>
      <Mark size={16} aria-hidden="true" />
      {stage === 'deleted' || stage === 'superseded' ? t(`history.${stage}`) : profiles[stage]}
    </span>
  )
}
