import { Button, Checkbox, Text, Textarea } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { useServerAction } from '#src/data/server.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { diffPath } from '#src/paths/screenPaths.ts'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { Note } from '#src/ui/Note.tsx'

/**
 * The part of double entry that concerns this user: the button that opens the second pass, the state of that pass, or
 * the link to the comparison of the two passes.
 */
export function DoubleEntry({ book }: { readonly book: Casebook }) {
  const { t } = useTranslation('ecrf')
  const [opening, setOpening] = useState(false)
  const { project, patient } = book
  const state = patient.secondPass ?? 'none'
  if (project.config.isDouble !== 1) return null
  if (project.permissions.includes('double_merge')) {
    return (
      <Button
        size="md"
        variant="default"
        component={Link}
        to={diffPath(project.id, patient.id)}
        leftSection={<IconArrowsDiff size={18} aria-hidden="true" />}
        className={classes.goOn}
      >
        {t('casebook.diff')}
      </Button>
    )
  }
  if (state !== 'none') return <p className={classes.facts}>{t(`casebook.secondPass.state.${state}`)}</p>
  if (!project.permissions.includes('double_entry') || project.projectStatus !== 'process') return null
  return (
    <>
      <Button size="md" variant="default" className={classes.goOn} onClick={() => setOpening(true)}>
        {t('casebook.secondPass.open')}
      </Button>
      {opening && <OpenDialog book={book} onClose={() => setOpening(false)} />}
    </>
  )
}

interface OpenDialogProps {
  readonly book: Casebook
  readonly onClose: () => void
}

/** Opens a second pass. Only the server can do that; without a network the dialog says that it is not possible now. */
function OpenDialog({ book: { project, patient, folders }, onClose }: OpenDialogProps) {
  const { t } = useTranslation('ecrf')
  const act = useServerAction()
  const [reason, setReason] = useState('')
  const [sure, setSure] = useState(false)
  const pages = folders.flatMap((folder) => folder.pages)
  const submitted = pages.filter(({ status }) => status === SUBMITTED).length
  // A second pass of a patient whose first pass is not finished is usually a mistake: the dialog asks twice.
  const isEarly = submitted < pages.length
  return (
    <SubmitDialog
      title={t('casebook.secondPass.title')}
      submit={t('casebook.secondPass.submit')}
      onClose={onClose}
      onSubmit={() =>
        isEarly && !sure
          ? null
          : act('double.create', {
              body: {
                patientId: patient.id,
                doubleSeqNo: 2,
                ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
              },
              projectId: project.id,
            })
      }
    >
      <Text>{t('casebook.secondPass.text')}</Text>
      {isEarly && (
        <>
          <Note tone="warning">{t('casebook.secondPass.early', { submitted, total: pages.length })}</Note>
          <Checkbox
            size="md"
            label={t('casebook.secondPass.sure')}
            checked={sure}
            onChange={(event) => setSure(event.currentTarget.checked)}
          />
        </>
      )}
      <Textarea
        data-autofocus
        size="md"
        label={t('casebook.secondPass.reason')}
        rows={2}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </SubmitDialog>
  )
}
