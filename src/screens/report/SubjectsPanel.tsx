import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { MeasureCode, ReportKind } from '#core/report/kinds.ts'
import { useServerQuery } from '#src/data/server.ts'
import { useOnlineOnly } from '#src/frame/useOnlineOnly.ts'
import { casebookPath, patientVisitsPath } from '#src/paths/screenPaths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { RightPanel } from '#src/ui/panel/RightPanel.tsx'
import { figure } from '#src/ui/words/format.ts'

import { useMeasureWords } from './measureWords.ts'
import type { OpenedFigure } from './reportAddress.ts'
import classes from './reports.module.css'

interface SubjectsPanelProps {
  readonly asked: {
    readonly projectId: string
    readonly kind: ReportKind
    readonly centerId?: string
    readonly from?: string
    readonly to?: string
  }
  readonly opened: OpenedFigure
  readonly onClose: () => void
}

/** How many subjects are shown at first, and more at a time. */
const PART = 50

/** The subjects behind a figure; each leads to its casebook. */
export function SubjectsPanel({ asked, opened, onClose }: SubjectsPanelProps) {
  const { t } = useTranslation('report')
  const { measure } = useMeasureWords()
  const [size, setSize] = useState(PART)
  const center = opened.centerId ?? asked.centerId
  const read = useOnlineOnly(
    useServerQuery('report.subjects', {
      query: {
        ...asked,
        ...(center === undefined ? {} : { centerId: center }),
        measure: opened.measure,
        current: 1,
        size,
      },
      projectId: asked.projectId,
    }),
  )
  const pathOf = isOfVisits(asked.kind, opened.measure) ? patientVisitsPath : casebookPath
  return (
    <RightPanel title={measure(opened.measure)} takesFocus onClose={onClose}>
      <Loaded of={read} rows={6}>
        {({ records, total }) =>
          records.length === 0 ? (
            <EmptyState title={t('subjects.none')} />
          ) : (
            <>
              <p className={classes.count}>{t('subjects.count', { count: total })}</p>
              <ul className={classes.subjects}>
                {records.map(({ patientId, patientNo, patientMark, initials, centerName, value }) => (
                  <li key={patientId}>
                    <Link className={classes.subject} to={pathOf(asked.projectId, patientId)}>
                      <span className={classes.no}>{patientNo ?? t('subjects.unnumbered', { mark: patientMark })}</span>
                      <span className={classes.who}>
                        {[initials, centerName].filter((part) => part !== null && part !== '').join(' · ')}
                      </span>
                      <span className={classes.value}>{figure(value, 0)}</span>
                    </Link>
                  </li>
                ))}
              </ul>
              {records.length < total && (
                <Button size="md" variant="default" fullWidth onClick={() => setSize((before) => before + 2 * PART)}>
                  {t('subjects.more')}
                </Button>
              )}
            </>
          )
        }
      </Loaded>
    </RightPanel>
  )
}

/** Whether a figure is counted of visits: then its subjects are looked at by their visits. */
function isOfVisits(kind: ReportKind, measure: MeasureCode): boolean {
  if (kind === 'deviations') return measure === 'outside' || measure === 'missed'
  return kind === 'visits' || kind === 'flow'
}
