import { Button, Group } from '@mantine/core'
import { IconMarquee2 } from '@tabler/icons-react'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent, PointerEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Region } from '#core/api/calls/attachment.ts'
import { isImageType } from '#core/files/reference.ts'
import type { Rect } from '#core/files/region.ts'
import { isRect, middleOf } from '#core/files/region.ts'
import { addressKey, addressOf, pageFieldOf } from '#core/form/definition/address.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { entryAddress } from '#src/paths/addresses.ts'
import { useEntry } from '#src/data/hooks/patients.ts'
import type { CasebookPage, EntryView } from '#src/data/shapes/types.ts'
import type { FileLine } from '#src/data/shapes/fileTypes.ts'
import { FormView } from '#src/form/FormView.tsx'
import { placeName } from '#src/form/words.ts'
import type { Language } from '#src/form/words.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { dayOf, fullTime } from '#src/ui/words/format.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import ecrf from '../ecrf.module.css'
import { FileViewer } from './FileViewer.tsx'
import { RegionForm } from './RegionForm.tsx'
import type { NamedField } from './RegionForm.tsx'
import { RegionLayer } from './RegionLayer.tsx'
import { RegionList } from './RegionList.tsx'
import classes from './files.module.css'
import { usePictureView } from './pictureView.ts'
import { useRegions } from './useRegions.ts'

/** How much of the room the picture has, and how far a key moves the border. */
const [LEAST, MOST, STEP] = [20, 80, 5]
/** The least share of the picture while a region is drawn on it, where the two lie one upon the other. */
const DRAWING_SHARE = 70

interface BesideItsPageProps {
  readonly projectId: string
  readonly patientId: string
  readonly line: FileLine
  readonly page: CasebookPage
  /** Whether the user may tie parts of the picture to fields. */
  readonly mayMark: boolean
}

/** A file beside the page that names it, and the page's fields tied to parts of it. */
export function BesideItsPage({ projectId, patientId, line, page, mayMark }: BesideItsPageProps) {
  const names = useNames()
  const { i18n, t } = useTranslation('files')
  const language: Language = i18n.language === 'en' ? 'en' : 'zh'
  const errorText = useErrorText()
  const entry = useEntry(projectId, page.target)
  const form = useForm(entry.state === 'ready' ? entry.value : null)
  const fields = useFields(form, language)
  const view = usePictureView()
  const { regions, failed, isOnline, save, takeBack } = useRegions(projectId, line.reference.id)
  const [marked, setMarked] = useState<string | null>(null)
  const [focus, setFocus] = useState<{ readonly address: string }>()
  const [draft, setDraft] = useState<{ readonly before: Region | null; readonly rect: Rect } | null>(null)
  const isPicture = isImageType(line.reference.type)
  const nameOf = (region: Region) => {
    const address = addressKey(region)
    const field = fields.find((one) => one.address === address)?.name ?? region.code
    return region.note === '' ? field : t('region.name', { field, note: region.note })
  }
  const show = (region: Region) => {
    setMarked(region.regionId)
    view.show(region.rect)
  }
  const mark = (region: Region) => {
    show(region)
    setFocus({ address: pageFieldOf(addressKey(region)) })
  }
  const onPage = (event: MouseEvent) => {
    const address =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]')?.dataset['row'] : undefined
    const region = regions.find((one) => pageFieldOf(addressKey(one)) === address)
    if (region !== undefined) show(region)
  }
  const begin = (before: Region | null) => {
    if (before !== null) show(before)
    // A new one begins where one looks.
    setDraft({ before, rect: before?.rect ?? middleOf(view.visible()) })
  }
  const newButton = useRef<HTMLButtonElement>(null)
  const isDrawing = draft !== null
  const hadFocus = useRef(false)
  const isAwaited = useRef(false)
  // The focus comes back to the button after a drawing, and where it was gone for a moment, for what is known of the
  // file was being read anew.
  useEffect(() => {
    const { current: button } = newButton
    if (button === null) {
      isAwaited.current ||= isDrawing || hadFocus.current
      return
    }
    if (isAwaited.current && document.activeElement === document.body) button.focus()
    isAwaited.current = false
    hadFocus.current = document.activeElement === button
  })
  const keep = async (address: string, note: string) => {
    if (draft === null) return null
    if (!isRect(draft.rect)) return { code: 'invalid', message: t('region.tooSmall') } as const
    const done = await save(draft.before, addressOf(address), draft.rect, note)
    if (!done.ok) return done.error
    setDraft(null)
    setMarked(done.value.regionId)
    return null
  }
  const isMarkable = mayMark && isPicture && line.standing.state === 'stored' && fields.length > 0
  const mayDraw = isMarkable && isOnline
  return (
    <Split
      leastHeight={isDrawing ? DRAWING_SHARE : LEAST}
      picture={
        <>
          <FileViewer
            projectId={projectId}
            reference={line.reference}
            view={view}
            overlay={
              <RegionLayer
                regions={regions}
                marked={marked}
                nameOf={nameOf}
                onMark={mark}
                draft={draft?.rect ?? null}
                onDraft={(rect) => setDraft((now) => (now === null ? null : { ...now, rect }))}
                turns={view.turns}
              />
            }
          />
          {/* It stays while the network is away or in doubt: whoever works by keys would lose their place with it. */}
          {isMarkable && draft === null && (
            <Button
              ref={newButton}
              size="md"
              variant="default"
              {...(isOnline ? {} : { 'aria-disabled': true, 'data-disabled': true })}
              leftSection={<IconMarquee2 size={20} aria-hidden="true" />}
              onClick={() => isOnline && begin(null)}
            >
              {t('region.new')}
            </Button>
          )}
          {/* What is being drawn stays, also where the network goes meanwhile. */}
          {isMarkable && draft !== null && (
            <RegionForm
              key={draft.before?.regionId ?? 'new'}
              fields={fields}
              address={draft.before === null ? (fields[0]?.address ?? '') : addressKey(draft.before)}
              note={draft.before?.note ?? ''}
              onSave={keep}
              onCancel={() => setDraft(null)}
            />
          )}
          {regions.length > 0 && (
            <RegionList
              regions={regions}
              marked={marked}
              nameOf={nameOf}
              onMark={mark}
              onEdit={mayDraw ? begin : null}
              onTakeBack={takeBack}
            />
          )}
          {failed !== null && isOnline && <Note tone="warning">{t('region.failed', { why: errorText(failed) })}</Note>}
          {isPicture && !isOnline && <p className={classes.quiet}>{t('region.offline')}</p>}
        </>
      }
    >
      <section className={ecrf.stack} aria-label={names.page(page)}>
        <Group justify="space-between">
          <strong>{names.place(page)}</strong>
          <Button
            component={Link}
            size="md"
            to={entryAddress(projectId, patientId, page.entryId, line.place.table ?? line.place.code)}
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
    </Split>
  )
}

interface SplitProps {
  /** Least share of the picture, in percent, where the two lie one upon the other. */
  readonly leastHeight: number
  readonly picture: ReactNode
  readonly children: ReactNode
}

/** Two parts with a border between them that can be moved. */
function Split({ leastHeight, picture, children }: SplitProps) {
  const { t } = useTranslation('files')
  const isWide = useMediaQuery('(min-width: 62em)') ?? false
  const [chosen, setChosen] = useState(50)
  const share = isWide ? chosen : Math.max(chosen, leastHeight)
  const frame = useRef<HTMLDivElement>(null)
  const move = (to: number) => setChosen(Math.min(MOST, Math.max(LEAST, Math.round(to))))
  const onKey = (event: KeyboardEvent) => {
    const to = {
      ArrowLeft: share - STEP,
      ArrowUp: share - STEP,
      ArrowRight: share + STEP,
      ArrowDown: share + STEP,
      Home: LEAST,
      End: MOST,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    move(to)
  }
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const box = frame.current?.getBoundingClientRect()
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    move(isWide ? ((event.clientX - box.left) / box.width) * 100 : ((event.clientY - box.top) / box.height) * 100)
  }
  const size = isWide ? { width: `${share}%` } : { height: `${share}%` }
  return (
    <div ref={frame} className={classes.split} data-wide={isWide}>
      <div className={classes.pane} data-picture style={size}>
        {picture}
      </div>
      {/* A border that is moved is a control, for which no element stands. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role */}
      <div
        className={classes.border}
        role="separator"
        tabIndex={0}
        aria-label={t('border')}
        aria-orientation={isWide ? 'vertical' : 'horizontal'}
        aria-valuenow={share}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        onKeyDown={onKey}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointer}
      />
      {/* oxlint-enable */}
      <div className={classes.pane} data-page>
        {children}
      </div>
    </div>
  )
}

/** The page's form, to be looked at; null until it is read, and where its definition cannot be. */
function useForm(view: EntryView | null): FormState | null {
  const [moment] = useState(() => {
    const now = new Date()
    return { today: dayOf(now), now: fullTime(now.toISOString()) }
  })
  return useMemo(() => {
    if (view === null || view.compiled === null) return null
    return createFormState(view.compiled, view.data, {
      moment,
      readOnly: true,
      elsewhere: view.elsewhere,
      masked: view.masked,
    })
  }, [view, moment])
}

/** The page's fields that are there now, by what they are called; titles and whole tables are none. */
function useFields(form: FormState | null, language: Language): readonly NamedField[] {
  const { i18n } = useTranslation('form')
  if (form === null) return []
  const t = i18n.getFixedT(language, 'form')
  return form
    .cells()
    .filter(({ visible, field }) => visible && field.type !== 'title' && field.type !== 'dynamic')
    .map((cell) => ({ address: cell.key, name: placeName(form, cell, language, t) }))
}
