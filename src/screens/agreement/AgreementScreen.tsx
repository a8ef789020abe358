import { Button, Group, NumberInput, Select } from '@mantine/core'
import { IconArrowsDiff, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import { DEFAULT_LIMIT_PERCENT } from '#core/review/agreement.ts'
import { useCenterChoice } from '#src/frame/lists/centerChoice.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import { NoAccess } from '#src/frame/shell/NoAccess.tsx'
import { useCenters } from '#src/data/hooks/projects.ts'
import { today } from '#src/data/shapes/today.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame, Panel } from '#src/ui/PageFrame.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { figure } from '#src/ui/words/format.ts'

import { Shares } from './Shares.tsx'
import { Total } from './Total.tsx'
import { KINDS, useReportFile, useReportLines } from './report.ts'
import type { Report } from './report.ts'

const MAX_LIMIT_PERCENT = 100

/**
 * How far the two passes of a project's patients agree, compared with a limit, for the person who merges them. Only the
 * server has both passes.
 */
export function AgreementScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  return project.permissions.includes('double_merge') ? <Agreement project={project} /> : <NoAccess />
}

function Agreement({ project }: WorkspacePlace) {
  const { t } = useTranslation('agreement')
  const [centerId, setCenterId] = useCenterChoice()
  const [limit, setLimit] = useState(DEFAULT_LIMIT_PERCENT)
  const centers = useCenters(project.id)
  const report = useServerQuery('double.agreement', {
    query: { projectId: project.id, ...(centerId === null ? {} : { centerId }) },
  })
  const fileOf = useReportFile(limit)
  const known = centers.state === 'ready' ? centers.value : []
  const found = report.state === 'ready' && !isEmpty(report.value) ? report.value : null
  const download = () => {
    if (found !== null)
      downloadFile(t('file', { day: today() }), new Blob([fileOf(found)], { type: 'text/csv;charset=utf-8' }))
  }
  return (
    <PageFrame
      title={t('title')}
      intro={t('intro')}
      actions={
        found !== null && (
          <Button
            size="md"
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden="true" />}
            onClick={download}
          >
            {t('download')}
          </Button>
        )
      }
    >
      <Group gap="sm" align="flex-start">
        {known.length > 1 && (
          <Select
            size="md"
            clearable
            label={t('center')}
            value={centerId}
            onChange={setCenterId}
            placeholder={t('allCenters')}
            data={known.map(({ id, centerName }) => ({ value: id, label: centerName }))}
          />
        )}
        <NumberInput
          size="md"
          label={t('limit')}
          description={t('limitHint', { figure: figure(limit * 100, 1) })}
          inputWrapperOrder={['label', 'input', 'description']}
          value={limit}
          onChange={(value) => setLimit(typeof value === 'number' ? value : DEFAULT_LIMIT_PERCENT)}
          min={0}
          max={MAX_LIMIT_PERCENT}
          step={0.1}
          decimalScale={2}
          clampBehavior="strict"
          hideControls
        />
      </Group>
      <Loaded of={report} rows={8}>
        {(value) =>
          isEmpty(value) ? <Nothing isDouble={project.config.isDouble === 1} /> : <Found report={value} limit={limit} />
        }
      </Loaded>
    </PageFrame>
  )
}

function isEmpty({ total }: Report): boolean {
  return total.compared === 0 && total.differing === 0
}

function Nothing({ isDouble }: { readonly isDouble: boolean }) {
  const { t } = useTranslation('agreement')
  const what = isDouble ? 'empty' : 'notDouble'
  return (
    <EmptyState icon={<IconArrowsDiff size={44} stroke={1.4} />} title={t(`${what}.title`)} text={t(`${what}.text`)} />
  )
}

function Found({ report, limit }: { readonly report: Report; readonly limit: number }) {
  const { t } = useTranslation('agreement')
  const lines = useReportLines(report)
  return (
    <>
      <Panel title={t('total.title')}>
        <Total total={report.total} limit={limit} />
      </Panel>
      {KINDS.map((kind) => (
        <Panel key={kind} title={t(`by.${kind}`)}>
          <Shares kind={kind} lines={lines[kind]} limit={limit} />
        </Panel>
      ))}
    </>
  )
}
