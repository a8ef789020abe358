import { IconCamera, IconFile, IconPaperclip, IconTrash } from '@tabler/icons-react'
import { Suspense, lazy, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { isImageType, referencesIn } from '#core/files/reference.ts'
import type { FileReference } from '#core/files/reference.ts'
import { addressOf } from '#core/form/definition/address.ts'
import { isList } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import type { FileStanding } from '#src/data/shapes/fileTypes.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { useBlobAddress } from '#src/ui/useBlobAddress.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { byteSize } from '#src/ui/words/format.ts'

import type { FilePort } from '../filePort.ts'
import form from '../form.module.css'
import { edit } from '../formActions.ts'
import { valueWords } from '../words.ts'
import { FileStateMark } from './FileStateMark.tsx'
import type { Drawing } from './drawing.ts'
import { acceptOf, lookAt, madeReady, takesPhotos } from './fileIntake.ts'
import type { LookedAt } from './fileIntake.ts'
import type { Region } from './picture.ts'
import classes from './upload.module.css'

const RedactDialog = lazy(async () => ({ default: (await import('./RedactDialog.tsx')).RedactDialog }))

interface UploadFieldProps {
  readonly drawing: Drawing
  readonly editable: boolean
}

/** The files of a field: taken with the camera or chosen, each with where it is. */
export function UploadField({ drawing, editable }: UploadFieldProps) {
  const { cell, label, ids, environment, describedBy } = drawing
  const { t, files: port, state } = environment
  const { field, value } = cell
  const errorText = useErrorText()
  const standings = useStandings(port)
  const camera = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const [said, setSaid] = useState<{ readonly bad: boolean; readonly text: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const [reviewing, setReviewing] = useState<LookedAt | null>(null)
  const [removing, setRemoving] = useState<JsonValue | null>(null)

  const items = isList(value) ? value : []
  const isFull = field.files?.limit !== null && field.files?.limit !== undefined && items.length >= field.files.limit
  const canTake = editable && port !== null && !isFull

  const set = (to: readonly JsonValue[]) => {
    if (port !== null)
      edit({ state, onEdit: port.onEdit }, cell.key, (form) => form.setValue(cell.key, to.length === 0 ? null : to))
  }
  const keep = async (file: LookedAt, regions: readonly Region[]): Promise<boolean> => {
    const ready = await madeReady(file, regions)
    if (ready === null || port === null) {
      setSaid({ bad: true, text: t('files.notDrawn', { name: file.name }) })
      return false
    }
    const taken = await port.take(addressOf(cell.key), ready)
    if (!taken.ok) {
      setSaid({ bad: true, text: t('files.notKept', { name: ready.name, reason: errorText(taken.error) }) })
      return false
    }
    // What the field holds now, not what it held when the file was chosen.
    const now = state.getCell(cell.key)?.value ?? null
    set([...(isList(now) ? now : []), { ...taken.value }])
    setSaid({ bad: false, text: t('files.kept', { name: ready.name }) })
    return true
  }
  const take = async (list: FileList | null) => {
    const chosen = [...(list ?? [])]
    if (chosen.length === 0) return
    setBusy(true)
    try {
      for (const one of chosen) {
        const look = await lookAt(one, field.files)
        if (!look.ok) {
          setSaid({
            bad: true,
            text: t('files.refused', {
              name: look.name,
              reason: t(`files.problem.${look.problem}`, { max: byteSize(look.maxBytes) }),
            }),
          })
          continue
        }
        // One photograph is looked at before it is kept, and what must not be seen covered.
        if (chosen.length === 1 && isImageType(look.file.type)) setReviewing(look.file)
        else if (!(await keep(look.file, []))) break
      }
    } finally {
      setBusy(false)
    }
  }

  return (
    <fieldset
      className={classes.field}
      id={ids.control}
      tabIndex={-1}
      aria-labelledby={ids.label}
      aria-describedby={describedBy}
    >
      {items.length === 0 && !canTake && <span className={form.empty}>{t('empty')}</span>}
      {items.length > 0 && (
        <ul className={classes.list}>
          {items.map((item, at) => (
            <FileItem
              key={referencesIn([item])[0]?.id ?? at}
              reference={referencesIn([item])[0] ?? null}
              words={valueWords(field, item, t)}
              standing={standings.get(referencesIn([item])[0]?.id ?? '') ?? null}
              port={port}
              removeLabel={editable ? t('files.removeFor', { name: valueWords(field, item, t) }) : null}
              onRemove={() => setRemoving(item)}
            />
          ))}
        </ul>
      )}
      {canTake && (
        <div className={classes.actions}>
          {takesPhotos(field.files) && (
            <button
              type="button"
              className={classes.button}
              disabled={busy}
              aria-label={t('files.takeFor', { label })}
              onClick={() => camera.current?.click()}
            >
              <IconCamera size={20} aria-hidden="true" /> {t('files.take')}
            </button>
          )}
          <button
            type="button"
            className={classes.button}
            disabled={busy}
            aria-label={t('files.chooseFor', { label })}
            onClick={() => chooser.current?.click()}
          >
            <IconPaperclip size={20} aria-hidden="true" /> {t('files.choose')}
          </button>
          <Chooser input={camera} accept="image/*" capture onFiles={take} />
          <Chooser input={chooser} accept={acceptOf(field.files)} onFiles={take} />
        </div>
      )}
      {editable && isFull && <p className={form.hint}>{t('files.full', { count: items.length })}</p>}
      <output className={said === null ? form.hiddenText : said.bad ? classes.bad : form.hint}>
        {busy ? t('files.saving') : said?.text}
      </output>
      {reviewing !== null && (
        <Suspense fallback={null}>
          <RedactDialog
            name={reviewing.name}
            content={reviewing.content}
            t={t}
            onCancel={() => setReviewing(null)}
            onKeep={async (regions) => {
              if (await keep(reviewing, regions)) setReviewing(null)
            }}
          />
        </Suspense>
      )}
      <ConfirmDialog
        opened={removing !== null}
        danger
        title={t('files.removeTitle')}
        text={t('files.removeText', { name: removing === null ? '' : valueWords(field, removing, t) })}
        submit={t('files.remove')}
        onClose={() => setRemoving(null)}
        onConfirm={() => {
          set(items.filter((item) => item !== removing))
          setRemoving(null)
        }}
      />
    </fieldset>
  )
}

interface ChooserProps {
  readonly input: React.RefObject<HTMLInputElement | null>
  readonly accept: string
  readonly capture?: boolean
  readonly onFiles: (files: FileList | null) => Promise<void>
}

/** The browser's own chooser, or its camera. Its button stands beside it. */
function Chooser({ input, accept, capture = false, onFiles }: ChooserProps) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      tabIndex={-1}
      accept={accept}
      multiple={!capture}
      {...(capture ? { capture: 'environment' as const } : {})}
      onChange={(event) => {
        const { currentTarget } = event
        // The same file may be chosen again.
        void onFiles(currentTarget.files).finally(() => {
          currentTarget.value = ''
        })
      }}
    />
  )
}

interface FileItemProps {
  readonly reference: FileReference | null
  /** What it is called. */
  readonly words: string
  readonly standing: FileStanding | null
  readonly port: FilePort | null
  readonly removeLabel: string | null
  readonly onRemove: () => void
}

function FileItem({ reference, words, standing, port, removeLabel, onRemove }: FileItemProps) {
  const thumb = useBlobAddress(
    port?.thumb ?? null,
    reference !== null && isImageType(reference.type) ? reference.id : null,
  )
  return (
    <li className={classes.item}>
      <span className={classes.thumb} aria-hidden="true">
        {thumb === null ? <IconFile size={28} stroke={1.4} /> : <img src={thumb} alt="" />}
      </span>
      <span className={classes.words}>
        {reference === null || port === null ? (
          <span className={classes.name}>{words}</span>
        ) : (
          <Link className={classes.name} to={port.address(reference.id)}>
            {words}
          </Link>
        )}
        {reference !== null && (
          <span className={classes.facts}>
            {byteSize(reference.size)}
            {/* Away from its page nobody asks where it is. */}
            {port !== null && (
              <>
                {' · '}
                <FileStateMark standing={standing} />
              </>
            )}
          </span>
        )}
      </span>
      {removeLabel !== null && (
        <button type="button" className={form.quiet} aria-label={removeLabel} onClick={onRemove}>
          <IconTrash size={20} aria-hidden="true" />
        </button>
      )}
    </li>
  )
}

const NOTHING_KNOWN: ReadonlyMap<string, FileStanding> = new Map()

function useStandings(port: FilePort | null): ReadonlyMap<string, FileStanding> {
  const [standings, setStandings] = useState(NOTHING_KNOWN)
  useEffect(() => {
    if (port === null) return
    let isOver = false
    const read = () => {
      void port.standings().then((read) => {
        if (!isOver) setStandings(read)
      })
    }
    read()
    const stop = port.watch(read)
    return () => {
      isOver = true
      stop()
    }
  }, [port])
  return standings
}
