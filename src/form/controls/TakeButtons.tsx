import { IconCamera, IconPaperclip } from '@tabler/icons-react'
import { useRef } from 'react'
import type { RefObject } from 'react'
import type { FileRule } from '#core/form/definition/page.ts'

import type { FormWords } from '../words.ts'
import { acceptOf, takesPhotos } from './fileIntake.ts'
import classes from './upload.module.css'

interface TakeButtonsProps {
  /** Label of the field. */
  readonly label: string
  readonly rule: FileRule | null
  readonly busy: boolean
  /** What choosing a file is called, where it is not done for a field. */
  readonly choose?: string
  readonly t: FormWords
  readonly onFiles: (files: FileList | null) => Promise<void>
}

/** Buttons that take a file: the camera, where the field accepts photos, and the files on the device. */
export function TakeButtons({ label, rule, busy, choose, t, onFiles }: TakeButtonsProps) {
  const camera = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <div className={classes.actions}>
      {takesPhotos(rule) && (
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
        aria-label={choose ?? t('files.chooseFor', { label })}
        onClick={() => chooser.current?.click()}
      >
        <IconPaperclip size={20} aria-hidden="true" /> {choose ?? t('files.choose')}
      </button>
      <Chooser input={camera} accept="image/*" capture onFiles={onFiles} />
      <Chooser input={chooser} accept={acceptOf(rule)} onFiles={onFiles} />
    </div>
  )
}

interface ChooserProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly accept: string
  readonly capture?: boolean
  readonly onFiles: (files: FileList | null) => Promise<void>
}

/** The browser's own file chooser, or its camera. The button beside it opens it. */
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
        // Cleared, so that the user can choose the same file again.
        void onFiles(currentTarget.files).finally(() => {
          currentTarget.value = ''
        })
      }}
    />
  )
}
