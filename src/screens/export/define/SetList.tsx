import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { DataSet } from '#core/api/calls/data/dataset.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'

import classes from '../export.module.css'
import { NEW } from '../exportDraft.ts'

interface SetListProps {
  readonly sets: readonly DataSet[]
  readonly edited: readonly string[]
  readonly openId: string | null
  readonly onChoose: (setId: string) => void
}

/** The data sets of the reader, and those that others share. */
export function SetList({ sets, edited, openId, onChoose }: SetListProps) {
  const { t } = useTranslation('dataExport')
  const own = sets.filter(({ isMine }) => isMine)
  const shared = sets.filter(({ isMine }) => !isMine)
  const lineOf = (set: DataSet) => (
    <SetLine
      key={set.id}
      name={set.name}
      hint={set.isMine ? (set.shared ? t('list.isShared') : null) : t('list.by', { name: set.ownerName })}
      isEdited={edited.includes(set.id)}
      isOpen={openId === set.id}
      onOpen={() => onChoose(set.id)}
    />
  )
  return (
    <nav className={classes.side} aria-label={t('list.title')}>
      <NewSetButton onMake={() => onChoose(NEW)} />
      {(own.length > 0 || openId === NEW) && (
        <>
          <h2 className={classes.group}>{t('list.own')}</h2>
          <ul className={classes.sets}>
            {(openId === NEW || edited.includes(NEW)) && (
              <SetLine
                name={t('list.unnamed')}
                hint={null}
                isEdited={edited.includes(NEW)}
                isOpen={openId === NEW}
                onOpen={() => onChoose(NEW)}
              />
            )}
            {own.map(lineOf)}
          </ul>
        </>
      )}
      {shared.length > 0 && (
        <>
          <h2 className={classes.group}>{t('list.shared')}</h2>
          <ul className={classes.sets}>{shared.map(lineOf)}</ul>
        </>
      )}
    </nav>
  )
}

interface SetLineProps {
  readonly name: string
  readonly hint: string | null
  readonly isEdited: boolean
  readonly isOpen: boolean
  readonly onOpen: () => void
}

function SetLine({ name, hint, isEdited, isOpen, onOpen }: SetLineProps) {
  const { t } = useTranslation('dataExport')
  return (
    <li>
      <button type="button" className={classes.set} aria-current={isOpen || undefined} onClick={onOpen}>
        <span className={classes.setName}>{name}</span>
        {hint !== null && <small>{hint}</small>}
        {isEdited && <small className={classes.edited}>{t('list.edited')}</small>}
      </button>
    </li>
  )
}

export function NewSetButton({ onMake }: { readonly onMake: () => void }) {
  const { t } = useTranslation('dataExport')
  return (
    <ServerButton size="md" variant="default" leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={onMake}>
      {t('list.make')}
    </ServerButton>
  )
}
