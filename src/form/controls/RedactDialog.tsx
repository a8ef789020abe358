import { Button, Group, Stack, Text } from '@mantine/core'
import { useCallback, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'

import { useBlobUrl } from '#src/ui/useBlobUrl.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import type { FormWords } from '../words.ts'
import type { Region } from './picture.ts'
import classes from './upload.module.css'

interface RedactDialogProps {
  readonly name: string
  readonly content: Blob
  readonly t: FormWords
  readonly onKeep: (regions: readonly Region[]) => Promise<void>
  readonly onCancel: () => void
}

/** How far a key moves or stretches a box, as a share of the picture. */
const KEY_STEP = 0.02
const NEW_BOX: Region = { left: 0.35, top: 0.4, width: 0.3, height: 0.2 }
/** A box that is smaller than this share counts as a tap. */
const LEAST = 0.01

/**
 * Shows a photo before it is kept. The user covers what must not be seen, and the covered part is never stored. Works
 * with a finger, a mouse or keys.
 */
export function RedactDialog({ name, content, t, onKeep, onCancel }: RedactDialogProps) {
  const read = useCallback(() => Promise.resolve(content), [content])
  const address = useBlobUrl(read, name)
  const [boxes, setBoxes] = useState<readonly Region[]>([])
  const [busy, setBusy] = useState(false)
  const keep = async () => {
    setBusy(true)
    try {
      await onKeep(boxes)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Sheet onClose={onCancel} size="xl" title={t('files.review', { name })}>
      <Stack gap="sm">
        <Text>{t('files.reviewHint')}</Text>
        <CoveredPicture name={name} address={address} boxes={boxes} t={t} onChange={setBoxes} />
        <Group>
          <Button variant="default" onClick={() => setBoxes([...boxes, NEW_BOX])}>
            {t('files.addBox')}
          </Button>
          <Button variant="default" disabled={boxes.length === 0} onClick={() => setBoxes(boxes.slice(0, -1))}>
            {t('files.undoBox')}
          </Button>
        </Group>
        {boxes.length > 0 && <Text size="sm">{t('files.covered', { count: boxes.length })}</Text>}
        <SheetFoot>
          <Button variant="default" size="md" disabled={busy} onClick={onCancel}>
            {t('files.cancel')}
          </Button>
          <Button size="md" loading={busy} onClick={() => void keep()}>
            {t('files.keep')}
          </Button>
        </SheetFoot>
      </Stack>
    </Sheet>
  )
}

interface CoveredPictureProps {
  readonly name: string
  /** Address of the picture; null until it is read. */
  readonly address: string | null
  readonly boxes: readonly Region[]
  readonly t: FormWords
  readonly onChange: (boxes: readonly Region[]) => void
}

/**
 * The picture with its boxes. A finger or a mouse draws a box; keys move, stretch and remove the one that has the
 * focus.
 */
function CoveredPicture({ name, address, boxes, t, onChange }: CoveredPictureProps) {
  const { draft, listeners } = useBoxDrawing((box) => onChange([...boxes, box]))
  return (
    <div className={classes.paper} {...listeners}>
      {address !== null && <img src={address} alt={name} draggable={false} />}
      {boxes.map((box, at) => (
        <button
          key={at}
          type="button"
          className={classes.cover}
          style={styleOf(box)}
          aria-label={t('files.box', { no: at + 1 })}
          onKeyDown={(event) => {
            const next = byKey(event, box)
            if (next === undefined) return
            event.preventDefault()
            onChange(next === null ? boxes.toSpliced(at, 1) : boxes.with(at, next))
          }}
        />
      ))}
      {draft !== null && <span className={classes.cover} style={styleOf(draft)} />}
    </div>
  )
}

/** Draws a box from one corner to the other. A box as small as a tap is dropped. */
function useBoxDrawing(onDrawn: (box: Region) => void) {
  const [draft, setDraft] = useState<Region | null>(null)
  const origin = useRef<Point | null>(null)
  const finish = () => {
    if (draft !== null && draft.width > LEAST && draft.height > LEAST) onDrawn(draft)
    origin.current = null
    setDraft(null)
  }
  const listeners = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.target !== event.currentTarget && !(event.target instanceof HTMLImageElement)) return
      event.currentTarget.setPointerCapture(event.pointerId)
      origin.current = pointAt(event)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (origin.current !== null) setDraft(between(origin.current, pointAt(event)))
    },
    onPointerUp: finish,
    onPointerCancel: finish,
  }
  return { draft, listeners }
}

/** A place on the picture, as shares of its width and height. */
interface Point {
  readonly x: number
  readonly y: number
}

function pointAt(event: PointerEvent<HTMLElement>): Point {
  const frame = event.currentTarget.getBoundingClientRect()
  return {
    x: clamp((event.clientX - frame.left) / frame.width),
    y: clamp((event.clientY - frame.top) / frame.height),
  }
}

function between(a: Point, b: Point): Region {
  return { left: Math.min(a.x, b.x), top: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) }
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share))
}

function styleOf({ left, top, width, height }: Region) {
  return { left: `${left * 100}%`, top: `${top * 100}%`, width: `${width * 100}%`, height: `${height * 100}%` }
}

/** Moves a box by the arrow keys, stretches it with Shift, or removes it (null); undefined for other keys. */
function byKey({ key, shiftKey }: KeyboardEvent, box: Region): Region | null | undefined {
  if (key === 'Delete' || key === 'Backspace') return null
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key]
  if (step === undefined) return undefined
  const [x = 0, y = 0] = step.map((unit) => unit * KEY_STEP)
  if (shiftKey)
    return {
      ...box,
      width: Math.max(KEY_STEP, Math.min(1 - box.left, box.width + x)),
      height: Math.max(KEY_STEP, Math.min(1 - box.top, box.height + y)),
    }
  return {
    ...box,
    left: clamp(Math.min(1 - box.width, box.left + x)),
    top: clamp(Math.min(1 - box.height, box.top + y)),
  }
}
