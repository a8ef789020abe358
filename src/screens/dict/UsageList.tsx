import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { DictUsage } from '#core/api/calls/projectDict.ts'
import { crfProfileNames } from '#core/study/versionLife.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './dict.module.css'

interface UsageListProps {
  readonly projectId: string
  readonly usages: readonly DictUsage[]
}

/** The fields that use a dictionary, and what a change of it means for each. */
export function UsageList({ projectId, usages }: UsageListProps) {
  const names = useNames()
  const { t, i18n } = useTranslation('dict')
  const profiles = crfProfileNames[i18n.language === 'en' ? 'en' : 'zh']
  return (
    <ul className={classes.places} aria-label={t('usage.inUse')}>
      {usages.map(({ versionId, versionNoDesc, crfProfile, pageId, prop, label, ...where }) => (
        <li key={`${versionId} ${pageId} ${prop}`}>
          {label} <span className={classes.code}>{prop}</span>
          <small>
            <Anchor
              component={Link}
              to={`/p/${projectId}/admin/crfHistory`}
              underline="always"
              size="sm"
              aria-label={`${t('usage.link')} ${versionNoDesc}`}
            >
              {versionNoDesc} {profiles[crfProfile]}
            </Anchor>
            {` · ${names.visit(where)} / ${names.page(where)} · ${crfProfile === 'draft' ? t('usage.follows') : t('usage.stays')}`}
          </small>
        </li>
      ))}
    </ul>
  )
}
