import { useState } from 'react'
import { referencesIn } from '#core/files/reference.ts'
import { isList } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'

import form from '../form.module.css'
import { valueWords } from '../words.ts'
import { FileItem } from './FileItem.tsx'
import list from './fileList.module.css'
import { IntakeOutcome } from './IntakeOutcome.tsx'
import { TakeButtons } from './TakeButtons.tsx'
import type { Drawing } from './drawing.ts'
import { useIntake } from './useIntake.ts'
import { useStandings } from './useStandings.ts'

interface UploadFieldProps {
  readonly drawing: Drawing
  readonly editable: boolean
}

/** The files of a field: taken with the camera or chosen, each with where it is. */
export function UploadField({ drawing, editable }: UploadFieldProps) {
  const { cell, label, ids, environment, describedBy } = drawing
  const { t, files: port } = environment
  const { field, value } = cell
  const standings = useStandings(port)
  const { setFiles, ...intake } = useIntake(drawing)
  const { busy, take } = intake
  const [removing, setRemoving] = useState<JsonValue | null>(null)

  const items = isList(value) ? value : []
  const isFull = field.files?.limit !== null && field.files?.limit !== undefined && items.length >= field.files.limit
  const canTake = editable && port !== null && !isFull
  return (
    <fieldset
      className={list.field}
      id={ids.control}
      tabIndex={-1}
      aria-labelledby={ids.label}
      aria-describedby={describedBy}
    >
      {items.length === 0 && !canTake && <span className={form.empty}>{t('empty')}</span>}
      {items.length > 0 && (
        <ul className={list.list}>
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
      {canTake && <TakeButtons label={label} rule={field.files} busy={busy} t={t} onFiles={take} />}
      {editable && isFull && <p className={form.hint}>{t('files.full', { count: items.length })}</p>}
      <IntakeOutcome intake={intake} t={t} />
      <ConfirmDialog
        opened={removing !== null}
        danger
        title={t('files.removeTitle')}
        text={t('files.removeText', { name: removing === null ? '' : valueWords(field, removing, t) })}
        submit={t('files.remove')}
        onClose={() => setRemoving(null)}
        onConfirm={() => {
          setFiles(items.filter((item) => item !== removing))
          setRemoving(null)
        }}
      />
    </fieldset>
  )
}
