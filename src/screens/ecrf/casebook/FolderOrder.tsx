import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { folderMoved, inPatientOrder } from '#core/study/visits/folderOrder.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import ecrf from '#src/screens/ecrf/ecrf.module.css'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useNames } from '#src/ui/words/useNames.ts'
import type { NamesInLanguage } from '#src/ui/words/useNames.ts'

import classes from './visits.module.css'

type Step = -1 | 1

/** A folder and which way it was moved last. */
interface Moved {
  readonly id: string
  readonly by: Step
}

interface OrderedFolder {
  readonly id: string
  readonly sort: number
  readonly name: string
  readonly order: number | null
}

/** Puts the visits of one patient in another order than the definition has, one step at a time. */
export function FolderOrder({ book }: { readonly book: Casebook }) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const errorText = useErrorText()
  const [open, setOpen] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const folders = foldersInOrder(book, names)
  const { moved, failed, move } = useMoving(book, folders)
  const at = folders.findIndex(({ id }) => id === moved?.id)
  useFocusAlong(list, moved, at)
  // The list opens at the end of a long page, so it is scrolled into sight.
  useEffect(() => {
    if (open) list.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  if (folders.length < 2) return null
  return (
    <>
      <Button
        variant="subtle"
        size="md"
        className={ecrf.goOn}
        leftSection={<IconArrowsSort size={18} aria-hidden="true" />}
        onClick={() => setOpen(!open)}
        aria-expanded={open}
      >
        {t('order.open')}
      </Button>
      {failed !== null && (
        <Note tone="error" live>
          {errorText(failed)}
        </Note>
      )}
      {open && (
        <ol ref={list} className={classes.order} aria-label={t('order.open')}>
          {folders.map(({ id, name }, place) => (
            <li key={id} data-folder={id}>
              <span>{name}</span>
              {([-1, 1] as const).map((by) => (
                <StepButton
                  key={by}
                  by={by}
                  name={name}
                  disabled={folders[place + by] === undefined}
                  onClick={() => void move(id, by)}
                />
              ))}
            </li>
          ))}
        </ol>
      )}
      <output className={classes.told}>
        {moved === null || at === -1 ? '' : t('order.now', { name: folders[at]?.name ?? '', place: at + 1 })}
      </output>
    </>
  )
}

interface StepButtonProps {
  readonly by: Step
  readonly name: string
  readonly disabled: boolean
  readonly onClick: () => void
}

function StepButton({ by, name, disabled, onClick }: StepButtonProps) {
  const { t } = useTranslation('visits')
  return (
    <ActionIcon
      variant="default"
      size={44}
      data-by={by}
      disabled={disabled}
      aria-label={t(by === -1 ? 'order.up' : 'order.down', { name })}
      onClick={onClick}
    >
      {by === -1 ? <IconArrowUp size={20} aria-hidden="true" /> : <IconArrowDown size={20} aria-hidden="true" />}
    </ActionIcon>
  )
}

/** The folders that apply to the patient, in their order. */
function foldersInOrder(book: Casebook, names: NamesInLanguage): readonly OrderedFolder[] {
  return inPatientOrder(
    book.version.folders.flatMap((folder) => {
      const { id, sort } = folder
      const visit = book.visits.find(({ folderId, folderRepeat }) => folderId === id && folderRepeat === FIRST_REPEAT)
      return visit === undefined || visit.status === 'notApplicable'
        ? []
        : [{ id, sort, name: names.visit(folder), order: visit.row?.order ?? null }]
    }),
  )
}

/** Moves a folder by a step, and says what was moved last and why a step failed. */
function useMoving(
  book: Casebook,
  folders: readonly OrderedFolder[],
): {
  readonly moved: Moved | null
  readonly failed: ApiError | null
  readonly move: (id: string, by: Step) => Promise<void>
} {
  const actions = useDataActions()
  const [failed, setFailed] = useState<ApiError | null>(null)
  const [moved, setMoved] = useState<Moved | null>(null)
  const move = async (id: string, by: Step) => {
    for (const { id: folderId, order } of folderMoved(folders, id, by)) {
      const done = await actions.actOnVisit(
        book.project.id,
        { patientId: book.patient.id, folderId, folderRepeat: FIRST_REPEAT },
        { do: 'place', order },
      )
      if (!done.ok) return setFailed(done.error)
    }
    setFailed(null)
    setMoved({ id, by })
  }
  return { moved, failed, move }
}

/** The buttons move with their folder: one of them gets the focus back. */
function useFocusAlong(list: RefObject<HTMLOListElement | null>, moved: Moved | null, at: number): void {
  useEffect(() => {
    if (moved === null) return
    const [wanted, other] = [moved.by, -moved.by].map((by) =>
      list.current?.querySelector<HTMLButtonElement>(`[data-folder="${moved.id}"] button[data-by="${by}"]`),
    )
    ;(wanted?.disabled === false ? wanted : other)?.focus()
  }, [list, moved, at])
}
