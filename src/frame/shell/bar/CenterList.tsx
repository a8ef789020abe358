import { IconBuildingHospital, IconBuildingSkyscraper } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router-dom'
import { patientsPath } from '#src/paths/screenPaths.ts'
import { centerIn, withCenter } from '#src/frame/lists/centerChoice.ts'
import { useCenters } from '#src/data/hooks/projects.ts'
import { Loaded } from '#src/ui/Loaded.tsx'

import { BarAction } from './BarAction.tsx'
import classes from './bar.module.css'

interface CenterListProps {
  readonly projectId: string
  readonly versionId: string | null
  readonly onChosen: () => void
}

/**
 * The centers of a project. Choosing one narrows the patient lists down to it; on other screens the choice leads to the
 * patients.
 */
export function CenterList({ projectId, versionId, onChosen }: CenterListProps) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const centers = useCenters(projectId)
  const chosen = centerIn(new URLSearchParams(search))
  const choose = (centerId: string | null) => {
    onChosen()
    const isOnList = /\/v\/[^/]+\/(patients|workspace)$/.test(pathname)
    if (isOnList) return void navigate(withCenter(pathname, centerId), { replace: true })
    if (versionId !== null) void navigate(withCenter(patientsPath(projectId, versionId), centerId))
  }
  return (
    <div className={classes.panel}>
      <Loaded of={centers} rows={3}>
        {(all) => (
          <ul className={classes.list}>
            <li>
              <BarAction
                current={chosen === null}
                icon={<IconBuildingSkyscraper size={20} aria-hidden="true" />}
                onClick={() => choose(null)}
              >
                {t('center.all')}
              </BarAction>
            </li>
            {all.map(({ id, centerName, centerCode, status }) => (
              <li key={id}>
                <BarAction
                  current={id === chosen}
                  icon={<IconBuildingHospital size={20} aria-hidden="true" />}
                  note={status === 'disabled' ? `${centerCode} · ${t('center.disabled')}` : centerCode}
                  onClick={() => choose(id)}
                >
                  {centerName}
                </BarAction>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  )
}
