import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { folderMoved, inPatientOrder } from '#core/study/visits/folderOrder.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import ecrf from '#src/screens/ecrf/ecrf.module.css'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './visits.module.css'

/** Puts the visits of one patient in another order than the definition has, one step at a time. */
export function FolderOrder({ book }: { readonly book: Casebook }) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const errorText = useErrorText()
  const actions = useDataActions()
  const [open, setOpen] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const [moved, setMoved] = useState<{ readonly id: string; readonly by: -1 | 1 } | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const folders = inPatientOrder(
    book.version.folders.flatMap((folder) => {
      const { id, sort } = folder
      const visit = book.visits.find(({ folderId, folderRepeat }) => folderId === id && folderRepeat === FIRST_REPEAT)
      return visit === undefined || visit.status === 'notApplicable'
        ? []
        : [{ id, sort, name: names.visit(folder), order: visit.row?.order ?? null }]
    }),
  )
  const at = folders.findIndex(({ id }) => id === moved?.id)
  // What is moved takes its buttons along, and one of them the focus.
  useEffect(() => {
    if (moved === null) return
    const [wanted, other] = [moved.by, -moved.by].map((by) =>
      list.current?.querySelector<HTMLButtonElement>(`[data-folder="${moved.id}"] button[data-by="${by}"]`),
    )
    ;(wanted?.disabled === false ? wanted : other)?.focus()
  }, [moved, at])
  // It opens at the end of a long page.
  useEffect(() => {
    if (open) list.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  if (folders.length < 2) return null
  const move = async (id: string, by: -1 | 1) => {
    for (const { id: folderId, order } of folderMoved(folders, id, by)) {
      const done = await actions.actOnVisit(
        book.project.id,
        { patientId: book.patient.id, folderId, folderRepeat: FIRST_REPEAT },
        { do: 'place', order },
      )
      if (!done.ok) return setFailed(errorText(done.error))
    }
    setFailed(null)
    setMoved({ id, by })
  }
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
          {failed}
        </Note>
      )}
      {open && (
        <ol ref={list} className={classes.order} aria-label={t('order.open')}>
          {folders.map(({ id, name }, place) => (
            <li key={id} data-folder={id}>
              <span>{name}</span>
              {([-1, 1] as const).map((by) => (
                <ActionIcon
                  key={by}
                  variant="default"
                  size={44}
                  data-by={by}
                  disabled={folders[place + by] === undefined}
                  aria-label={t(by === -1 ? 'order.up' : 'order.down', { name })}
                  onClick={() => void move(id, by)}
                >
                  {by === -1 ? (
                    <IconArrowUp size={20} aria-hidden="true" />
                  ) : (
                    <IconArrowDown size={20} aria-hidden="true" />
                  )}
                </ActionIcon>
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
