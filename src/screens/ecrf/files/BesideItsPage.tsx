import { Button, Group } from '@mantine/core'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Region } from '#core/api/calls/attachment.ts'
import { isImageType } from '#core/files/reference.ts'
import { addressKey } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { useEntry } from '#src/data/hooks/patients.ts'
import type { FileLine } from '#src/data/shapes/fileTypes.ts'
import type { CasebookPage } from '#src/data/shapes/types.ts'
import { FormView } from '#src/form/FormView.tsx'
import { entryPath } from '#src/paths/screenPaths.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import ecrf from '../ecrf.module.css'
import { FileViewer } from './FileViewer.tsx'
import { RegionLayer } from './RegionLayer.tsx'
import { RegionTools } from './RegionTools.tsx'
import { Split } from './Split.tsx'
import classes from './files.module.css'
import { usePictureView } from './pictureView.ts'
import { useDrawing } from './useDrawing.ts'
import { useFocusBack } from './useFocusBack.ts'
import { useMarking } from './useMarking.ts'
import type { Marking } from './useMarking.ts'
import { useNamedFields, usePageForm } from './usePageForm.ts'
import { useRegions } from './useRegions.ts'

/** Least share of the picture, in percent, while a region is drawn and the picture stands above the page. */
const DRAWING_SHARE = 70

interface BesideItsPageProps {
  readonly projectId: string
  readonly patientId: string
  readonly line: FileLine
  readonly page: CasebookPage
  /** Whether the user may tie parts of the picture to fields. */
  readonly mayMark: boolean
}

/** A file beside the page that names it, with the regions that tie parts of it to fields of the page. */
export function BesideItsPage({ projectId, patientId, line, page, mayMark }: BesideItsPageProps) {
  const { t } = useTranslation('files')
  const errorText = useErrorText()
  const entry = useEntry(projectId, page.target)
  const form = usePageForm(entry.state === 'ready' ? entry.value : null)
  const fields = useNamedFields(form, useLanguage())
  const view = usePictureView()
  const known = useRegions(projectId, line.reference.id)
  const { regions, failed, isOnline } = known
  const marking = useMarking(view, regions)
  const drawing = useDrawing(view, known.save, marking)
  const isDrawing = drawing.draft !== null
  const newButton = useFocusBack(isDrawing)
  const isPicture = isImageType(line.reference.type)
  const nameOf = (region: Region) => {
    const address = addressKey(region)
    const field = fields.find((one) => one.address === address)?.name ?? region.code
    return region.note === '' ? field : t('region.name', { field, note: region.note })
  }
  return (
    <Split
      leastHeight={isDrawing ? DRAWING_SHARE : 0}
      picture={
        <>
          <FileViewer
            projectId={projectId}
            reference={line.reference}
            view={view}
            overlay={
              <RegionLayer
                regions={regions}
                marked={marking.marked}
                nameOf={nameOf}
                onMark={marking.mark}
                draft={drawing.draft?.rect ?? null}
                onDraft={drawing.move}
                turns={view.turns}
              />
            }
          />
          <RegionTools
            known={known}
            marking={marking}
            drawing={drawing}
            isMarkable={mayMark && isPicture && line.standing.state === 'stored' && fields.length > 0}
            fields={fields}
            nameOf={nameOf}
            newButton={newButton}
          />
          {failed !== null && isOnline && <Note tone="warning">{t('region.failed', { why: errorText(failed) })}</Note>}
          {isPicture && !isOnline && <p className={classes.quiet}>{t('region.offline')}</p>}
        </>
      }
    >
      <PageOfFile
        projectId={projectId}
        patientId={patientId}
        line={line}
        page={page}
        entry={entry}
        form={form}
        marking={marking}
      />
    </Split>
  )
}

interface PageOfFileProps extends Pick<BesideItsPageProps, 'projectId' | 'patientId' | 'line' | 'page'> {
  readonly entry: ReturnType<typeof useEntry>
  /** Null until the page is read, and where its definition cannot be read. */
  readonly form: FormState | null
  readonly marking: Marking
}

/** The page that names the file. A press on a field shows its region on the picture. */
function PageOfFile({ projectId, patientId, line, page, entry, form, marking: { focus, showOf } }: PageOfFileProps) {
  const { t } = useTranslation('files')
  const names = useNames()
  const language = useLanguage()
  const onPage = ({ target }: MouseEvent) =>
    showOf(target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset['row'] : undefined)
  return (
    <section className={ecrf.stack} aria-label={names.page(page)}>
      <Group justify="space-between">
        <strong>{names.place(page)}</strong>
        <Button
          component={Link}
          size="md"
          to={entryPath(projectId, patientId, page.entryId, line.place?.table ?? line.place?.code ?? null)}
        >
          {t('toPage')}
        </Button>
      </Group>
      <Loaded of={entry} rows={6}>
        {(read) =>
          form === null ? (
            <p>{t('pageBroken')}</p>
          ) : (
            // The list beside the picture leads to the same places by keys.
            // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
            <div onClick={onPage}>
              <FormView
                key={`${read.entryId} ${read.order}`}
                state={form}
                mode="view"
                language={language}
                {...(focus === undefined ? {} : { focus })}
              />
            </div>
          )
        }
      </Loaded>
    </section>
  )
}
