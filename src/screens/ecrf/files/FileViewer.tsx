import { ActionIcon, Button, Group, Slider } from '@mantine/core'
import { IconRotateClockwise, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useCallback, useLayoutEffect, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FileReference } from '#core/files/reference.ts'
import { isImageType } from '#core/files/reference.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from './files.module.css'
import type { PictureView } from './pictureView.ts'
import { ZOOM_STEP } from './pictureView.ts'
import { useFileContent } from './useFileContent.ts'

interface FileViewerProps {
  readonly projectId: string
  readonly reference: FileReference
  readonly view: PictureView
  /** What lies on the picture, and turns and grows with it. */
  readonly overlay?: ReactNode
  /** Where there is little room, the picture comes before what brightens it. */
  readonly isNarrow?: boolean
}

/**
 * The original file. A user can enlarge, turn and brighten it, which never changes the file. A file that is no picture
 * can be saved.
 */
export function FileViewer({ projectId, reference, view, overlay, isNarrow = false }: FileViewerProps) {
  const { t } = useTranslation('files')
  const errorText = useErrorText()
  const content = useFileContent(projectId, reference.id)
  const [brightness, setBrightness] = useState(100)
  const [contrast, setContrast] = useState(100)
  const showMiddle = useShownMiddle(view)
  // As high as the picture is, in both: what is below it stays where it is.
  if (content.state === 'failed')
    return (
      <div className={`${classes.viewer} ${classes.coming}`}>
        <Note tone="warning">{content.error.code === 'offline' ? t('viewer.offline') : errorText(content.error)}</Note>
      </div>
    )
  if (content.state === 'loading')
    return <p className={`${classes.viewer} ${classes.coming} ${classes.quiet}`}>{t('viewer.loading')}</p>
  const reset = () => {
    view.reset()
    setBrightness(100)
    setContrast(100)
  }
  const save = (
    <Button component="a" variant="default" size="md" href={content.address} download={reference.name}>
      {t('viewer.save')}
    </Button>
  )
  if (!isImageType(reference.type)) return <div className={classes.viewer}>{save}</div>
  return (
    <section className={classes.viewer} aria-label={t('viewer.label', { name: reference.name })}>
      <ViewTools view={view} onReset={reset}>
        {save}
      </ViewTools>
      <div className={classes.sliders} data-last={isNarrow || undefined}>
        <Adjust label={t('viewer.brightness')} value={brightness} onChange={setBrightness} />
        <Adjust label={t('viewer.contrast')} value={contrast} onChange={setContrast} />
      </div>
      <PictureRoom view={view} onReset={reset}>
        <img
          src={content.address}
          alt={reference.name}
          // Before it is there, there is nothing to scroll.
          onLoad={showMiddle}
          style={{ filter: `brightness(${brightness}%) contrast(${contrast}%)` }}
        />
        {overlay}
      </PictureRoom>
    </section>
  )
}

/** Scrolls the wanted place into the middle of the room, and again when it is called. */
function useShownMiddle({ middle, room: stage }: PictureView): () => void {
  const show = useCallback(() => {
    const room = stage.current
    const sheet = room?.firstElementChild
    if (room === null || !(sheet instanceof HTMLElement) || middle === null) return
    room.scrollTo({
      left: middle.x * sheet.offsetWidth - room.clientWidth / 2,
      top: middle.y * sheet.offsetHeight - room.clientHeight / 2,
    })
  }, [middle, stage])
  useLayoutEffect(show, [show])
  return show
}

interface ViewProps {
  readonly view: PictureView
  /** Resets zoom, turn and brightness. */
  readonly onReset: () => void
  readonly children: ReactNode
}

/** Buttons that enlarge and turn the picture, and the other tools. */
function ViewTools({ view: { zoom, enlarge, turn }, onReset, children }: ViewProps) {
  const { t } = useTranslation('files')
  return (
    <Group gap="xs">
      <ActionIcon variant="default" size={44} aria-label={t('viewer.larger')} onClick={() => enlarge(ZOOM_STEP)}>
        <IconZoomIn size={22} />
      </ActionIcon>
      <ActionIcon variant="default" size={44} aria-label={t('viewer.smaller')} onClick={() => enlarge(1 / ZOOM_STEP)}>
        <IconZoomOut size={22} />
      </ActionIcon>
      <ActionIcon variant="default" size={44} aria-label={t('viewer.turn')} onClick={turn}>
        <IconRotateClockwise size={22} />
      </ActionIcon>
      <Button variant="default" size="md" onClick={onReset}>
        {t('viewer.reset')}
      </Button>
      <output className={classes.quiet}>{`${Math.round(zoom * 100)}%`}</output>
      {children}
    </Group>
  )
}

/** The room in which the picture lies. Users scroll, enlarge and turn it by keys. */
function PictureRoom({ view: { zoom, turns, room, enlarge, turn }, onReset, children }: ViewProps) {
  const { t } = useTranslation('files')
  const onKey = (event: KeyboardEvent) => {
    const act = {
      '+': () => enlarge(ZOOM_STEP),
      '=': () => enlarge(ZOOM_STEP),
      '-': () => enlarge(1 / ZOOM_STEP),
      r: turn,
      '0': onReset,
    }[event.key]
    if (act === undefined || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    event.preventDefault()
    act()
  }
  return (
    // A part that scrolls must be reachable by keys and take them.
    // oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions
    // oxlint-disable jsx-a11y/prefer-tag-over-role
    <div ref={room} className={classes.stage} tabIndex={0} onKeyDown={onKey} role="group" aria-label={t('viewer.keys')}>
      <div className={classes.sheet} style={{ width: `${zoom * 100}%`, rotate: `${turns * 90}deg` }}>
        {children}
      </div>
    </div>
    // oxlint-enable
  )
}

function Adjust({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}) {
  return (
    <div className={classes.adjust}>
      <span aria-hidden="true">{label}</span>
      <Slider
        thumbLabel={label}
        min={25}
        max={300}
        step={5}
        value={value}
        onChange={onChange}
        label={(shown) => `${shown}%`}
      />
    </div>
  )
}
