import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useOutletContext, useParams } from 'react-router-dom'
import { filePath, filesPath } from '#src/paths/screenPaths.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { usePatientFiles } from '#src/data/hooks/patientFiles.ts'
import type { FileLine } from '#src/data/shapes/fileTypes.ts'
import { FileStateBadge } from '#src/form/controls/FileStateBadge.tsx'
import { FactList } from '#src/ui/FactList.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { byteSize, fullTime } from '#src/ui/words/format.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { EcrfHeader } from '../EcrfHeader.tsx'
import ecrf from '../ecrf.module.css'
import { BesideItsPage } from './BesideItsPage.tsx'
import { FileViewer } from './FileViewer.tsx'
import classes from './files.module.css'
import { usePictureView } from './pictureView.ts'

/** One attachment by itself, with what is known of it. */
export function FileScreen() {
  return (
    <OneFile
      show={(projectId, patientId, line) => <ByItself projectId={projectId} patientId={patientId} line={line} />}
      wide={false}
    />
  )
}

/** An attachment beside the page that names it (specification §2: canvas). */
export function FileComparisonScreen() {
  return (
    <OneFile
      show={(projectId, patientId, line, mayMark) =>
        line.page === null ? (
          <ByItself projectId={projectId} patientId={patientId} line={line} />
        ) : (
          <BesideItsPage projectId={projectId} patientId={patientId} line={line} page={line.page} mayMark={mayMark} />
        )
      }
      wide
    />
  )
}

interface OneFileProps {
  readonly show: (projectId: string, patientId: string, line: FileLine, mayMark: boolean) => ReactNode
  readonly wide: boolean
}

function OneFile({ show, wide }: OneFileProps) {
  const { projectId, patientId } = useOutletContext<EcrfPlace>()
  const { attachId = '' } = useParams()
  const { t } = useTranslation('files')
  const files = usePatientFiles(projectId, patientId)
  const line =
    files.state === 'ready' ? files.value.lines.find(({ reference }) => reference.id === attachId) : undefined
  return (
    <>
      <EcrfHeader
        backTo={filesPath(projectId, patientId)}
        backLabel={t('backToList')}
        title={line?.reference.name ?? t('title')}
      />
      <main className={wide ? classes.wide : ecrf.main} id="main" tabIndex={-1}>
        <Loaded of={files} rows={6}>
          {({ book }) =>
            line === undefined ? (
              <Navigate to={filesPath(projectId, patientId)} replace />
            ) : (
              show(
                projectId,
                patientId,
                line,
                book.project.permissions.includes('attach_edit') && book.project.projectStatus === 'process',
              )
            )
          }
        </Loaded>
      </main>
    </>
  )
}

interface OfFile {
  readonly projectId: string
  readonly patientId: string
  readonly line: FileLine
}

function ByItself({ projectId, patientId, line }: OfFile) {
  const names = useNames()
  const { t } = useTranslation(['files', 'query'])
  const { reference, page, place, query, standing } = line
  const view = usePictureView()
  return (
    <div className={ecrf.stack}>
      <FactList
        facts={[
          query === null
            ? [t('facts.page'), page === null ? t('belongsNowhere') : names.place(page)]
            : [t('facts.query'), query.no === 0 ? t('query:unnumbered') : t('query:no', { no: query.no })],
          ...(place === null ? [] : [[t('facts.field'), names.field(line) ?? place.code] as const]),
          [t('facts.size'), byteSize(reference.size)],
          [t('facts.state'), <FileStateBadge key="state" standing={standing} />],
          ...(standing.at === null ? [] : [[t('facts.since'), fullTime(standing.at)] as const]),
        ]}
      />
      {page !== null && (
        <Group>
          <Button component={Link} to={filePath(projectId, patientId, reference.id)} variant="default" size="md">
            {t('beside')}
          </Button>
        </Group>
      )}
      <FileViewer projectId={projectId} reference={reference} view={view} />
    </div>
  )
}
