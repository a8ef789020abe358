import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#core/api/calls/attachment.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import classes from './files.module.css'

interface RegionListProps {
  readonly regions: readonly Region[]
  readonly marked: string | null
  readonly nameOf: (region: Region) => string
  readonly onMark: (region: Region) => void
  /** Begins to change a region. Null where the user may not, or cannot now. */
  readonly onEdit: ((region: Region) => void) | null
  readonly onTakeBack: (region: Region, reason: string) => Promise<Result<unknown, ApiError>>
}

/** The regions of a picture as a list: each leads to its place on the picture and to its field. */
export function RegionList({ regions, marked, nameOf, onMark, onEdit, onTakeBack }: RegionListProps) {
  const { t } = useTranslation('files')
  const [asking, setAsking] = useState<Region | null>(null)
  return (
    <>
      <ul className={classes.regions} aria-label={t('region.list')}>
        {regions.map((region) => (
          <li key={region.regionId}>
            <button
              type="button"
              className={classes.regionName}
              aria-pressed={region.regionId === marked}
              onClick={() => onMark(region)}
            >
              {nameOf(region)}
              <small>{t('region.by', { name: region.byName, time: fullTime(region.at) })}</small>
            </button>
            {onEdit !== null && (
              <span>
                <Button
                  size="md"
                  variant="subtle"
                  aria-label={t('region.editLabel', { name: nameOf(region) })}
                  onClick={() => onEdit(region)}
                >
                  {t('region.edit')}
                </Button>
                <Button
                  size="md"
                  variant="subtle"
                  aria-label={t('region.removeLabel', { name: nameOf(region) })}
                  onClick={() => setAsking(region)}
                >
                  {t('region.remove')}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {/* A reason that is being written stays, even when the network goes away meanwhile. */}
      {asking !== null && (
        <TakeBack
          name={nameOf(asking)}
          onClose={() => setAsking(null)}
          onSubmit={(reason) => onTakeBack(asking, reason)}
        />
      )}
    </>
  )
}

interface TakeBackProps {
  readonly name: string
  readonly onClose: () => void
  readonly onSubmit: (reason: string) => Promise<Result<unknown, ApiError>>
}

function TakeBack({ name, onClose, onSubmit }: TakeBackProps) {
  const { t } = useTranslation('files')
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const said = reason.trim()
  return (
    <SubmitDialog
      title={t('region.removeTitle')}
      submit={t('region.remove')}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        return said === '' ? null : onSubmit(said)
      }}
    >
      <p>{t('region.removeText', { name })}</p>
      <Textarea
        data-autofocus
        withAsterisk
        size="md"
        rows={2}
        maxLength={1000}
        label={t('region.reason')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={tried && said === '' ? t('region.reasonRequired') : null}
      />
    </SubmitDialog>
  )
}
